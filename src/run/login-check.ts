/** Finds out which log-ins of a run's subscribers were revoked. One question at a time, for all of them together. */

/** Which of some log-ins still count. */
export type FindLiveLogins = (loginIds: readonly string[]) => Promise<ReadonlySet<string>>;

/** The question about the log-ins that `loginIds` names at that moment; `end` is told who must go. */
export class LoginCheck {
  readonly #loginIds: () => readonly string[];
  readonly #end: (revoked: ReadonlySet<string>) => void;
  #isAsking = false;
  #hasMore = false;

  constructor(loginIds: () => readonly string[], end: (revoked: ReadonlySet<string>) => void) {
    this.#loginIds = loginIds;
    this.#end = end;
  }

  /** Asks now, or once more as soon as the question under way is answered. Never rejects. */
  async ask(findLive: FindLiveLogins): Promise<void> {
    this.#hasMore = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (this.#hasMore) {
      this.#hasMore = false;
      await this.#askOnce(findLive);
    }
    this.#isAsking = false;
  }

  async #askOnce(findLive: FindLiveLogins): Promise<void> {
    const loginIds = this.#loginIds();
    if (loginIds.length === 0) return;
    try {
      const live = await findLive(loginIds);
      this.#end(new Set(loginIds.filter((id) => !live.has(id))));
    } catch (error) {
      // Who cannot be asked about stays: the question comes again within a minute.
      console.warn(JSON.stringify({ level: "warn", message: "Log-ins not checked.", error: String(error) }));
    }
  }
}
