/** Runs work on the same key one after the other, in the order in which it came. Different keys do not wait for each other. */
export class KeyedMutex {
  /** The last work in progress for each key. */
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Does `work` after all earlier work for any of `keys` has settled, and settles as `work` does. */
  run<Result>(keys: readonly string[], work: () => Promise<Result>): Promise<Result> {
    const mine = Promise.allSettled(keys.map((key) => this.#tails.get(key))).then(work);
    for (const key of keys) this.#tails.set(key, mine);
    const leave = (): void => {
      for (const key of keys) if (this.#tails.get(key) === mine) this.#tails.delete(key);
    };
    mine.then(leave, leave);
    return mine;
  }

  /** The last work for `key`, or undefined once it has settled. The promise settles as that work does. */
  last(key: string): Promise<unknown> | undefined {
    return this.#tails.get(key);
  }

  /** Resolves when all work that has come so far has settled, whatever its keys. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#tails.values());
  }
}
