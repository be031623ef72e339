/** Lets other calls to an object in while a long one works: SQLite answers at once, so awaiting it never yields. */

/** Weight between two yields: a yield takes over a millisecond, and this much work takes a few. */
const YIELD_WEIGHT = 128;

/** Bytes that weigh as much as one access: a search reads about this much in the same time. */
const BYTES_PER_WEIGHT = 8_192;

/** Call `step` at each access of a long loop: now and then it lets timers and other calls in. */
export class Pace {
  #weight = 0;

  /** `bytes` is what the access reads or writes. */
  async step(bytes = 0): Promise<void> {
    this.#weight += 1 + bytes / BYTES_PER_WEIGHT;
    if (this.#weight < YIELD_WEIGHT) return;
    this.#weight = 0;
    await scheduler.wait(0);
  }
}
