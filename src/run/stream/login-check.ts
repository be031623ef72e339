/** Whether the log-ins of a run's subscribers are still valid. */
import { log } from "../../contract/log.ts";
import { within } from "../../contract/within.ts";

/** Which of these log-ins are still valid. */
export type FindLiveLogins = (loginIds: readonly string[]) => Promise<ReadonlySet<string>>;

/** How long an answer is waited for, in ms. D1 may never give one, and nothing else is asked meanwhile. */
const ANSWER_LIMIT_MS = 10_000;

/**
 * Finds out which log-ins of a run's subscribers were revoked, with one query at a time for all of them. `loginIds` returns the
 * log-ins at that moment; `end` is called with those that were revoked.
 */
export class LoginCheck {
  readonly #loginIds: () => readonly string[];
  readonly #end: (revoked: ReadonlySet<string>) => void;
  #isAsking = false;
  #hasMore = false;

  constructor(loginIds: () => readonly string[], end: (revoked: ReadonlySet<string>) => void) {
    this.#loginIds = loginIds;
    this.#end = end;
  }

  /** Asks now, or once more as soon as the current query is answered. Never rejects. */
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
      const live = await within(ANSWER_LIMIT_MS, () => findLive(loginIds));
      this.#end(new Set(loginIds.filter((id) => !live.has(id))));
    } catch (error) {
      // Subscribers whose log-ins could not be checked stay connected: they are checked again within a minute.
      log.warn("Log-ins not checked.", { error });
    }
  }
}
