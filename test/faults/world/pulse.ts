/** Counts what happens in a case, so that a fault can come at "the nth event" and not only at a time. */

/** What is counted: events that any client received, changes and commands among them, requests that the model server received. */
export type Beat = "events" | "calls" | "requests";

/** The counters of one case. */
export class Pulse {
  readonly #counts: Record<Beat, number> = { events: 0, calls: 0, requests: 0 };
  readonly #lookers = new Set<() => void>();

  beat(kind: Beat): void {
    this.#counts[kind] += 1;
    for (const look of this.#lookers) look();
  }

  /** Resolves once there have been `count`, or when `signal` aborts. */
  async until(kind: Beat, count: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = () => {
      if (this.#counts[kind] >= count || signal.aborted) resolve();
    };
    this.#lookers.add(look);
    signal.addEventListener("abort", look, { once: true });
    look();
    await promise;
    this.#lookers.delete(look);
    signal.removeEventListener("abort", look);
  }
}
