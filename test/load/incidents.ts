/** What clients met that a patient client bears, and what nobody should meet. */

/** Problems that are told; of many alike the first ones are enough. */
const MAX_TOLD = 10;

/** Counters of one scenario. */
export class Incidents {
  /** Connections that broke or were refused and were made again: the dev proxy of wrangler drops some under load. */
  reconnects = 0;
  #problems: string[] = [];
  #count = 0;

  /** Records what must not happen; empty when all is well. */
  add(...problems: readonly string[]): void {
    this.#count += problems.length;
    this.#problems.push(...problems.slice(0, Math.max(0, MAX_TOLD - this.#problems.length)));
  }

  /** Files `problem` unless it is as it should be. */
  require(isSo: boolean, problem: string): void {
    if (!isSo) this.add(problem);
  }

  /** What was filed; of many the first ones and how many there are. */
  get problems(): string[] {
    const more = this.#count - this.#problems.length;
    return more === 0 ? this.#problems : [...this.#problems, `and ${more} more`];
  }
}
