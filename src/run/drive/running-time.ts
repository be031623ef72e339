/**
 * How long a run has been running, and what happens when its time is used up: its loop is told to stop, and a loop that does
 * not respond is not waited for.
 */

/** Most running time of one run, in ms; waiting for a person does not count (run.md, Recovery). */
const MAX_RUNNING_MS = 30 * 60_000;

/**
 * Most time counted between two looks, in ms: twice the usual interval (`drive/due`). During a longer gap nothing ran, for example because
 * a laptop was closed.
 */
const MAX_GAP_MS = 60_000;

/** The running time of one run, as one instance of its object knows it. */
export class RunningTime {
  readonly #nowMs: () => number;
  /** Running time at the last look, at first that of the newest checkpoint, and when that look was; undefined before a loop has started. */
  #clock: { readonly baseMs: number; readonly sinceMs: number } | undefined;
  #usedUpSinceMs: number | undefined;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** A loop starts. `goesOn`: it follows a loop that could not reach its session, and that loop's time counts too. */
  start(checkpointMs: number, goesOn: boolean): void {
    if (goesOn && this.#clock !== undefined) return;
    this.#clock = { baseMs: checkpointMs, sinceMs: this.#nowMs() };
    this.#usedUpSinceMs = undefined;
  }

  /** Running time so far, in ms. */
  get ms(): number {
    if (this.#clock === undefined) return 0;
    return this.#clock.baseMs + Math.min(MAX_GAP_MS, passedMs(this.#clock.sinceMs, this.#nowMs()));
  }

  /** When the running time will be used up, in epoch ms; undefined before a loop has started. */
  get usedUpAtMs(): number | undefined {
    return this.#clock && this.#clock.sinceMs + MAX_RUNNING_MS - this.#clock.baseMs;
  }

  /** When the running time was found to be used up, in epoch ms. */
  get usedUpSinceMs(): number | undefined {
    return this.#usedUpSinceMs;
  }

  /** Checks whether the running time is used up, and notes when it was found to be. The alarm looks every 30 s. */
  look(): boolean {
    this.#clock &&= { baseMs: this.ms, sinceMs: this.#nowMs() };
    if (this.ms >= MAX_RUNNING_MS) this.#usedUpSinceMs ??= this.#nowMs();
    return this.#usedUpSinceMs !== undefined;
  }
}

/** Milliseconds between two times, never less than 0. */
export const passedMs = (sinceMs: number, nowMs: number): number => Math.max(0, nowMs - sinceMs);
