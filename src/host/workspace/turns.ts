/** Lets so many at once do something; the others wait in the order in which they came. */

/** Give each turn back. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  readonly #count: number;
  #free: number;
  #onAllFree: (() => void) | undefined;

  constructor(count: number) {
    this.#count = count;
    this.#free = count;
  }

  /** Resolves to true with a turn, and to false without one when the signal aborts first. */
  async take(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (this.#free > 0) {
      this.#free -= 1;
      return true;
    }
    const turn = Promise.withResolvers<boolean>();
    const mine = () => turn.resolve(true);
    this.#waiting.push(mine);
    const leave = () => {
      const place = this.#waiting.indexOf(mine);
      if (place >= 0) this.#waiting.splice(place, 1);
      turn.resolve(false);
    };
    signal.addEventListener("abort", leave, { once: true });
    const isMine = await turn.promise;
    signal.removeEventListener("abort", leave);
    return isMine;
  }

  /** The next one's turn. */
  giveBack(): void {
    const next = this.#waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    this.#free += 1;
    if (this.#free === this.#count) this.#onAllFree?.();
  }

  /** Resolves when nobody has a turn. */
  allFree(): Promise<void> {
    if (this.#free === this.#count) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onAllFree = resolve;
    });
  }
}
