/** What a bench has started and must end: at its own end, and when it is interrupted. */

/** Ends of started things; a signal ends them too, then the process. */
export class Stops {
  readonly #stops: (() => Promise<unknown>)[] = [];
  #stopping: Promise<unknown> = Promise.resolve();

  constructor() {
    for (const [name, exitCode] of [
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const) {
      process.once(name, () => void this.all().finally(() => process.exit(exitCode)));
    }
  }

  /** Call it as soon as something runs. */
  add(stop: () => Promise<unknown>): void {
    this.#stops.push(stop);
  }

  /** Ends all there is, each once. Waits for ends that an earlier call has begun, so that nobody exits before them. */
  all(): Promise<unknown> {
    this.#stopping = Promise.all([this.#stopping, ...this.#stops.splice(0).map((stop) => stop())]);
    return this.#stopping;
  }
}
