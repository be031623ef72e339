/** Work that is done by one at a time, and once more for those who come meanwhile: what was read by then may not be about them. */
export class OneAtATime {
  readonly #work: () => Promise<void>;
  #working: Promise<void> | undefined;
  #isWanted = false;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Works. Resolves when all that is wanted by then is done. */
  async run(): Promise<void> {
    this.#isWanted = true;
    this.#working ??= this.#runWhileWanted().finally(() => {
      this.#working = undefined;
    });
    await this.#working;
  }

  /** Resolves when nothing is being done. */
  async idle(): Promise<void> {
    await this.#working;
  }

  async #runWhileWanted(): Promise<void> {
    while (this.#isWanted) {
      this.#isWanted = false;
      await this.#work();
    }
  }
}
