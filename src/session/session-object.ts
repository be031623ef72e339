/**
 * One harness session: the conversation, the order of the thread's runs, the standing rules. No call of a run waits for
 * another run: grants go out from the session's alarm.
 */
import { DurableObject } from "cloudflare:workers";
import type { RequestId, RunId } from "../contract/ids.ts";
import type { Env } from "../env.ts";
import type { ConversationTurn } from "../harness/fit-conversation.ts";
import { AlarmClock } from "./alarm-clock.ts";
import { type BlockPage, ConversationStore } from "./conversation-store.ts";
import { RuleStore, type StandingRule } from "./rule-store.ts";
import { type QueuePlace, RunQueue } from "./run-queue.ts";
import { SESSION_SCHEMA } from "./session-schema.ts";
import { clearTombstone, isTombstoned, layTombstone } from "./tombstone.ts";

/** How often the head is asked how it is while somebody waits behind it. */
const CHECK_INTERVAL_MS = 60_000;

/** How soon the head is asked when somebody waits behind it: it may have died on its way to hand over. */
const QUEUED_CHECK_MS = 1_000;

/** How soon a head that could not be reached is asked again. */
const UNREACHABLE_PAUSE_MS = 5_000;

/** A head that cannot be reached for this long is dropped (RUN.md, Ending and handing over). */
const MAX_UNREACHABLE_MS = 15 * 60_000;

/** The object behind one `harness_sessions` row; its name is the session id. */
export class SessionObject extends DurableObject<Env> {
  readonly #queue = new RunQueue(this.ctx.storage.sql);
  readonly #conversation = new ConversationStore(this.ctx.storage.sql);
  readonly #rules = new RuleStore(this.ctx.storage.sql);
  readonly #alarm = new AlarmClock(this.ctx.storage);

  /** Puts a run into the queue, once. With nobody ahead it may run at once, under `grant`. Undefined: it was deleted. */
  async enqueue(runId: RunId): Promise<QueuePlace | undefined> {
    if (isTombstoned(this.ctx.storage.sql)) return undefined;
    const place = this.ctx.storage.transactionSync(() => {
      this.ctx.storage.sql.exec(SESSION_SCHEMA);
      this.ctx.storage.sql.exec(
        "INSERT OR IGNORE INTO session (id, session_grant, is_grant_delivered, epoch) VALUES (1, 0, 1, 1)",
      );
      return this.#queue.add(runId);
    });
    // A head that nobody waits behind needs no watching: its own alarm brings it back, and the next run looks for it.
    if (place.ahead > 0) this.#checkWithin(QUEUED_CHECK_MS);
    return place;
  }

  /** A page of the conversation, newest first, for the run that holds the grant; undefined when it no longer does. */
  async load(runId: RunId, grant: number, beforeId: number | null): Promise<BlockPage | undefined> {
    return this.#holdsGrant(runId, grant) ? this.#conversation.page(beforeId) : undefined;
  }

  /** Starts a new epoch: the conversation could not be read (RUN.md, The conversation). */
  startEpoch(runId: RunId, grant: number): void {
    if (this.#holdsGrant(runId, grant)) this.#conversation.startEpoch();
  }

  /**
   * Takes over the turn of a run that has ended and lets the next one go; `turn` is undefined when it never got its turn.
   * Repeating it changes nothing. False: the grant is old, and the turn was not taken. A run that is in no queue has
   * handed over before, or was dropped as lost.
   */
  async finish(runId: RunId, grant: number | undefined, turn: ConversationTurn | undefined): Promise<boolean> {
    if (!this.#exists()) return true;
    const isTaken = this.ctx.storage.transactionSync(() => {
      const place = this.#queue.place(runId);
      if (place === undefined) return true;
      if (grant !== undefined && place.grant !== grant) return false;
      if (turn !== undefined) this.#conversation.append(runId, turn);
      this.#queue.remove(runId);
      return true;
    });
    if (this.#queue.head()?.isGrantDelivered === false) this.#checkWithin(0);
    return isTaken;
  }

  /** A page of the conversation for its owner, newest first. */
  exportPage(beforeId: number | null): BlockPage {
    return this.#exists() ? this.#conversation.page(beforeId) : { blocks: [], nextBefore: null };
  }

  async listRules(): Promise<StandingRule[]> {
    return this.#exists() ? this.#rules.list() : [];
  }

  addRule(rule: StandingRule): void {
    if (this.#exists()) this.#rules.add(rule);
  }

  /** Whether there was such a rule. */
  removeRule(ruleId: RequestId): boolean {
    return this.#exists() && this.#rules.revoke(ruleId, Date.now());
  }

  /** Deletes conversation, queue and rules. */
  async purge(): Promise<void> {
    this.#alarm.clear();
    await this.ctx.storage.deleteAll();
    await layTombstone(this.ctx.storage, Date.now());
  }

  /** Tells the head that it may run, and finds out whether it still does. */
  override async alarm(): Promise<void> {
    this.#alarm.clear();
    if (!this.#exists()) return await clearTombstone(this.ctx.storage, Date.now());
    const head = this.#queue.head();
    if (head === undefined) return;
    const answer = await this.#askHead(head.runId, head.grant);
    // The head may have finished while it was asked, or the whole session been deleted.
    if (!this.#exists()) return;
    if (this.#queue.head()?.grant === head.grant) {
      if (answer === "live") this.#queue.markDelivered();
      else if (answer !== "unreachable" || this.#isLost()) this.#queue.remove(head.runId);
    }
    const next = this.#queue.head();
    if (next === undefined) return;
    if (next.grant !== head.grant) this.#checkWithin(0);
    else if (answer === "unreachable") this.#checkWithin(UNREACHABLE_PAUSE_MS);
    else if (this.#queue.length > 1) this.#checkWithin(CHECK_INTERVAL_MS);
  }

  async #askHead(runId: string, grant: number): Promise<"live" | "ended" | "unknown" | "unreachable"> {
    try {
      return await this.env.RUNS.getByName(runId).granted(grant);
    } catch (error) {
      console.warn(
        JSON.stringify({ level: "warn", message: "The head run is unreachable.", runId, error: String(error) }),
      );
      return "unreachable";
    }
  }

  #isLost(): boolean {
    const nowMs = Date.now();
    return nowMs - this.#queue.markUnreachable(nowMs) >= MAX_UNREACHABLE_MS;
  }

  #holdsGrant(runId: RunId, grant: number): boolean {
    return this.#exists() && this.#queue.place(runId)?.grant === grant;
  }

  #exists(): boolean {
    const [table] = this.ctx.storage.sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'session'");
    return table !== undefined;
  }

  #checkWithin(ms: number): void {
    this.#alarm.ringBy(Date.now() + ms);
  }
}
