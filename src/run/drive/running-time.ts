/**
 * How long a run has been running, and what happens when its time is used up: its loop is told to stop, and a loop that does
 * not respond is not waited for.
 */

/** Most running time of one run, in ms; waiting for a person does not count (run.md, Recovery). */
const MAX_RUNNING_MS = 30 * 60_000;

/** The running time of one run, as one instance of its object knows it. */
export class RunningTime {
  readonly #nowMs: () => number;
  /** Running time at the newest checkpoint, and when this instance began to add to it; undefined before that. */
  #clock: { readonly baseMs: number; readonly sinceMs: number } | undefined;
  #usedUpSinceMs: number | undefined;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** A loop starts. `goesOn`: it follows one that could not reach its session, whose time counts too. */
  start(checkpointMs: number, goesOn: boolean): void {
    if (goesOn && this.#clock !== undefined) return;
    this.#clock = { baseMs: checkpointMs, sinceMs: this.#nowMs() };
    this.#usedUpSinceMs = undefined;
  }

  /** Running time so far, in ms. */
  get ms(): number {
    return this.#clock === undefined ? 0 : this.#clock.baseMs + this.#nowMs() - this.#clock.sinceMs;
  }

  /** When it will be used up, in epoch ms; undefined before a loop has started. */
  get usedUpAtMs(): number | undefined {
    return this.#clock && this.#clock.sinceMs + MAX_RUNNING_MS - this.#clock.baseMs;
  }

  /** When it was found to be used up, in epoch ms. */
  get usedUpSinceMs(): number | undefined {
    return this.#usedUpSinceMs;
  }

  /** Checks whether it is used up, and notes when. */
  look(): boolean {
    if (this.ms >= MAX_RUNNING_MS) this.#usedUpSinceMs ??= this.#nowMs();
    return this.#usedUpSinceMs !== undefined;
  }
}

/** Milliseconds between two times, never less than 0. */
export const passedMs = (sinceMs: number, nowMs: number): number => Math.max(0, nowMs - sinceMs);
