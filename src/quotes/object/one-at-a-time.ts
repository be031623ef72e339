/** Runs one job at a time, and once more for callers that came meanwhile: the running job may have read too early for them. */
export class OneAtATime {
  readonly #work: () => Promise<void>;
  #working: Promise<void> | undefined;
  #isWanted = false;
  /** What was begun last. Never rejects. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Runs the job. Resolves when all that was asked for by then is done. */
  async run(): Promise<void> {
    this.#isWanted = true;
    this.#working ??= this.#runWhileWanted().finally(() => {
      this.#working = undefined;
    });
    await this.#working;
  }

  /** Runs something else: after what was asked for before it, and before what is asked for later. */
  alone<Result>(other: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(other);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #runWhileWanted(): Promise<void> {
    while (this.#isWanted) {
      await this.alone(async () => {
        this.#isWanted = false;
        await this.#work();
      });
    }
  }
}
