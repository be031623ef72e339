/**
 * One harness session: the conversation, the order of the thread's runs, the standing rules. No call of a run waits for
 * another run: grants go out from the session's alarm.
 */
import { DurableObject } from "cloudflare:workers";
import type { RequestId } from "../contract/ids.ts";
import type { Env } from "../env.ts";
import type { ConversationTurn } from "../harness/conversation.ts";
import type { NewCompaction } from "../harness/turn-keeper.ts";
import { AlarmClock } from "./alarm-clock.ts";
import { askHead, CHECK_INTERVAL_MS, MAX_UNREACHABLE_MS, QUEUED_CHECK_MS, UNREACHABLE_PAUSE_MS } from "./ask-head.ts";
import { type BlockPage, ConversationStore, type Notice, type StoredCompaction } from "./conversation-store.ts";
import { migrateObject } from "./object-schema.ts";
import { reservationUntilMs } from "./reservation.ts";
import { RuleStore, type StandingRule } from "./rule-store.ts";
import { type QueuePlace, RunQueue } from "./run-queue.ts";
import { SESSION_MIGRATIONS, SESSION_SCHEMA } from "./session-schema.ts";
import type { EndedTurn, LoadedPage } from "./session-wire.ts";
import { clearTombstone, isTombstoned, layTombstone } from "./tombstone.ts";

/** The object behind one `harness_sessions` row; its name is the session id. */
export class SessionObject extends DurableObject<Env> {
  readonly #queue = new RunQueue(this.ctx.storage.sql);
  readonly #conversation = new ConversationStore(this.ctx.storage.sql);
  readonly #rules = new RuleStore(this.ctx.storage.sql);
  readonly #alarm = new AlarmClock(this.ctx.storage);
  #hasTables = false;

  /** Puts a run into the queue, once. With nobody ahead it may run at once, under `grant`. Undefined: it was deleted. */
  async enqueue(runId: string): Promise<QueuePlace | undefined> {
    if (isTombstoned(this.ctx.storage.sql)) return undefined;
    const isNew = !this.#exists();
    const hadPlace = !isNew && this.#queue.place(runId) !== undefined;
    const place = this.ctx.storage.transactionSync(() => {
      if (isNew) this.#makeTables();
      return this.#queue.add(runId);
    });
    this.#hasTables = true;
    // A head that nobody waits behind needs no watching: its own alarm brings it back, and the next run looks for it.
    if (place.ahead > 0 && !hadPlace) this.#checkWithin(QUEUED_CHECK_MS);
    // Whoever asks again finds it watched, unless the alarm was lost.
    else if (place.ahead > 0) await this.#alarm.ringUnlessSet(Date.now() + CHECK_INTERVAL_MS);
    return place;
  }

  /**
   * A page of the conversation, newest first, for whoever holds the grant; undefined when it no longer does. The first page
   * comes with what is known of the conversation as a whole.
   */
  async load(runId: string, grant: number, beforeId: number | null): Promise<LoadedPage | undefined> {
    if (!this.#holdsGrant(runId, grant)) return undefined;
    const page = this.#conversation.page(beforeId);
    return beforeId === null ? { ...page, head: this.#conversation.head() } : page;
  }

  /** Keeps a summary of earlier turns, once for a key. Undefined: the grant is old, and nothing was changed. */
  async saveCompaction(
    runId: string,
    grant: number,
    key: string,
    compaction: NewCompaction,
  ): Promise<Notice | undefined> {
    if (!this.#holdsGrant(runId, grant)) return undefined;
    return this.ctx.storage.transactionSync(() => this.#conversation.saveCompaction(key, compaction));
  }

  /** Starts a new epoch with these turns, once for a key. Undefined: the grant is old, and nothing was changed. */
  async startEpoch(
    runId: string,
    grant: number,
    key: string,
    turns: readonly ConversationTurn[],
    reason: string,
  ): Promise<Notice | undefined> {
    if (!this.#holdsGrant(runId, grant)) return undefined;
    return this.ctx.storage.transactionSync(() => this.#conversation.startEpoch(key, turns, reason));
  }

  /**
   * Takes over the turn of a run that has ended and lets the next one go; `ended` is undefined when it never got its turn.
   * Repeating it changes nothing. False: the grant is old, and the turn was not taken. A run that is in no queue has
   * handed over before, or was dropped as lost.
   */
  async finish(runId: string, grant: number | undefined, ended: EndedTurn | undefined): Promise<boolean> {
    if (!this.#exists()) return true;
    const isTaken = this.ctx.storage.transactionSync(() => {
      const place = this.#queue.place(runId);
      if (place === undefined) return true;
      if (grant !== undefined && place.grant !== grant) return false;
      if (ended !== undefined) this.#conversation.append(ended.turn, ended.omitted);
      if (ended?.facts !== undefined) this.#conversation.saveFacts(ended.facts, ended.told);
      this.#queue.remove(runId);
      return true;
    });
    if (this.#queue.head()?.isGrantDelivered === false) this.#checkWithin(0);
    return isTaken;
  }

  /**
   * Takes the thread's place for something that is no run, if nobody has it: `busy` else, undefined for a session that was
   * never used. A head that has just ended is let hand over first.
   */
  async reserve(id: string): Promise<QueuePlace | "busy" | undefined> {
    if (!this.#exists()) return undefined;
    const head = this.#queue.head();
    if (head !== undefined) await this.#watchHead();
    if (!this.#exists()) return undefined;
    // Asked again after an answer that was lost, it has its place already.
    if (this.#queue.length > 0 && this.#queue.place(id) === undefined) return "busy";
    const place = this.ctx.storage.transactionSync(() => this.#queue.add(id));
    this.#checkWithin(Math.max(0, (reservationUntilMs(id) ?? 0) - Date.now()));
    return place;
  }

  /** Gives the place back. */
  async release(id: string): Promise<void> {
    await this.finish(id, undefined, undefined);
  }

  /** A page of the conversation for its owner, newest first, with what is no longer sent. */
  exportPage(beforeId: number | null): BlockPage {
    return this.#exists() ? this.#conversation.pageOfAll(beforeId) : { blocks: [], nextBefore: null };
  }

  /** The summaries that were made of the conversation, oldest first. */
  exportCompactions(): StoredCompaction[] {
    return this.#exists() ? this.#conversation.compactions() : [];
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
    this.#hasTables = false;
    await this.ctx.storage.deleteAll();
    await layTombstone(this.ctx.storage, Date.now());
  }

  override async alarm(): Promise<void> {
    await this.#alarm.ring("session", () => this.#watchHead());
  }

  /** Tells the head that it may run, and finds out whether it still does. */
  async #watchHead(): Promise<void> {
    if (!this.#exists()) return await clearTombstone(this.ctx.storage, Date.now());
    const head = this.#queue.head();
    if (head === undefined) return;
    const untilMs = reservationUntilMs(head.runId);
    if (untilMs !== undefined && untilMs > Date.now()) return this.#checkWithin(untilMs - Date.now());
    const answer = untilMs === undefined ? await askHead(this.env, head.runId, head.grant) : "ended";
    // The head may have finished while it was asked, or the whole session been deleted.
    if (!this.#exists()) return;
    if (this.#queue.head()?.grant === head.grant) {
      if (answer === "live") this.#queue.markDelivered();
      else if (answer !== "unreachable") this.#queue.remove(head.runId);
      else if (this.#queue.markUnreachable(Date.now()) >= MAX_UNREACHABLE_MS) this.#queue.remove(head.runId);
    }
    const next = this.#queue.head();
    if (next === undefined) return;
    if (next.grant !== head.grant) this.#checkWithin(0);
    else if (answer === "unreachable") this.#checkWithin(UNREACHABLE_PAUSE_MS);
    else if (this.#queue.length > 1) this.#checkWithin(CHECK_INTERVAL_MS);
  }

  #holdsGrant(runId: string, grant: number): boolean {
    return this.#exists() && this.#queue.place(runId)?.grant === grant;
  }

  #exists(): boolean {
    this.#hasTables ||= migrateObject(this.ctx.storage, "session", SESSION_MIGRATIONS);
    return this.#hasTables;
  }

  #makeTables(): void {
    this.ctx.storage.sql.exec(SESSION_SCHEMA);
    this.ctx.storage.sql.exec("INSERT INTO session (id, session_grant, is_grant_delivered, epoch) VALUES (1, 0, 1, 1)");
  }

  #checkWithin(ms: number): void {
    this.#alarm.ringBy(Date.now() + ms);
  }
}
