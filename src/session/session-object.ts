/**
 * One harness session: the conversation, the order of the thread's runs, the standing rules. No call of a run waits for
 * another run: grants are sent from the session's alarm.
 */
import { log } from "../contract/log.ts";
import { within } from "../contract/within.ts";
import type { TurnRows } from "../harness/stored-conversation.ts";
import type { NewCompaction } from "../harness/turn.ts";
import { AlarmClock } from "../objects/alarm-clock.ts";
import { clearTombstone, layTombstone, TOMBSTONE } from "../objects/object-schema.ts";
import { CHECK_INTERVAL_MS, QUEUED_CHECK_MS, watchHead } from "./ask-head.ts";
import type { CopiedPiece } from "./file-copy.ts";
import type { DroppedCall } from "./report.ts";
import { type Rewind, tellReplaced } from "./rewind-store.ts";
import type { QueuePlace } from "./run-queue.ts";
import { type FinishedTurn, type LoadedPage, reservationUntilMs, type SessionRpc } from "./session-wire.ts";
import { StoredSession } from "./stored-session.ts";

/** Longest wait for the lists to be told of a rewind, in ms. They are told again by the alarm. */
const TELL_LIMIT_MS = 10_000;

/** The object behind one `harness_sessions` row; its name is the session id. */
export class SessionObject extends StoredSession implements SessionRpc {
  readonly #alarm = new AlarmClock(this.ctx.storage);

  /**
   * Puts a run into the queue, once. With nobody ahead it may run at once, under `grant`. Undefined: the session was deleted.
   * `leftDir`: the workspace that the thread leaves with this run.
   */
  async enqueue(runId: string, leftDir?: string): Promise<QueuePlace | undefined> {
    if (!this.exists()) return this.tables.has(TOMBSTONE) ? undefined : this.begin(runId);
    const hadPlace = this.queue.place(runId) !== undefined;
    const place = this.tables.write(() => {
      if (leftDir !== undefined) this.rules.leave(leftDir);
      return this.queue.add(runId);
    });
    // A head with nobody behind it needs no watching: its own alarm brings it back, and the next run checks it.
    if (place.ahead > 0 && !hadPlace) this.#checkWithin(QUEUED_CHECK_MS);
    // A run that asks again is already being watched, unless the alarm was lost.
    else if (place.ahead > 0) await this.#alarm.ringUnlessSet(Date.now() + CHECK_INTERVAL_MS);
    return place;
  }

  /**
   * The runs that were replaced because the person went back, for a holder that works in another session under its grant here. Undefined
   * when that grant is out of date, which the other session may not know.
   */
  async replacedRuns(holder: string, grant: number): Promise<string[] | undefined> {
    return this.#holdsGrant(holder, grant) ? this.rewinds.replaced() : undefined;
  }

  /**
   * Lets the holder of a place in the thread's first session (a run, or a reservation) work here, under its grant there. `replaced`:
   * the runs that the first session leaves out. False: the grant is out of date, or this session was deleted.
   */
  async hold(runId: string, grant: number, replaced: readonly string[]): Promise<boolean> {
    if (!this.exists() && this.tables.has(TOMBSTONE)) return false;
    if (!this.exists()) this.begin(runId);
    return this.tables.write(() => {
      if (!this.queue.hold(runId, grant)) return false;
      this.rewinds.follow(replaced);
      return true;
    });
  }

  /** A page of the conversation, newest first, if the run holds the grant. The first page has what is known of the whole. */
  async load(runId: string, grant: number, beforeId: number | null): Promise<LoadedPage | undefined> {
    if (!this.#holdsGrant(runId, grant)) return undefined;
    const page = this.conversation.page(beforeId);
    return beforeId === null ? { ...page, head: this.conversation.head() } : page;
  }

  /** Stores a summary of earlier turns, once per key. Undefined: the grant is out of date, and nothing was changed. */
  async saveCompaction(runId: string, grant: number, key: string, compaction: NewCompaction) {
    if (!this.#holdsGrant(runId, grant)) return undefined;
    return this.tables.write(() => this.conversation.saveCompaction(key, compaction));
  }

  /** Has the next run report a model call whose result was not used but has to be paid. False: the grant is out of date. */
  async noteDropped(holder: string, grant: number, call: DroppedCall): Promise<boolean> {
    if (!this.#holdsGrant(holder, grant)) return false;
    this.tables.write(() => this.conversation.noteDropped(holder, call));
    return true;
  }

  /** Starts a new epoch with these turns, once per key. Undefined: the grant is out of date, and nothing was changed. */
  async startEpoch(runId: string, grant: number, key: string, turns: readonly TurnRows[], reason: string) {
    if (!this.#holdsGrant(runId, grant)) return undefined;
    return this.tables.write(() => this.conversation.startEpoch(key, turns, reason));
  }

  /**
   * Takes over the turn of a run that has ended and lets the next run start; `ended` is undefined when the run never left the
   * queue. Repeating it changes no turn and no place. False: the grant is out of date, and the turn was not taken. A run that is not in the
   * queue has handed over before, or was dropped as lost. `speakers`: the log-ins that have said something to the run. Unless all of them
   * may allow commands, the thread's rules for commands are revoked before the next run starts.
   */
  async finish(
    runId: string,
    grant: number | undefined,
    ended: FinishedTurn | undefined,
    speakers: readonly string[] = [],
  ): Promise<boolean> {
    const keepsCommands = !this.exists() || (await this.rules.keepsCommands(this.env.DB, speakers));
    if (!this.exists()) return true;
    const isTaken = this.tables.write(() => {
      if (!keepsCommands) this.rules.revokeCommands(Date.now());
      const place = this.queue.place(runId);
      if (place === undefined) return true;
      if (grant !== undefined && place.grant !== grant) return false;
      if (ended !== undefined) this.conversation.append(ended.turn, ended.omitted);
      if (ended?.facts !== undefined) this.conversation.saveFacts(ended.facts, ended.told);
      this.queue.remove(runId);
      return true;
    });
    if (this.queue.head()?.isGrantDelivered === false) this.#checkWithin(0);
    return isTaken;
  }

  /**
   * Takes a place in the queue for something other than a run, unless the thread is `busy`. Undefined for a session that was never
   * used. A head that has ended gets to hand over first.
   */
  async reserve(id: string): Promise<QueuePlace | "busy" | undefined> {
    if (!this.exists()) return undefined;
    if (this.queue.head() !== undefined) await this.#watchHead();
    if (!this.exists()) return undefined;
    // A repeated request, after an answer that was lost, has its place already.
    if (this.queue.length > 0 && this.queue.place(id) === undefined) return "busy";
    const place = this.tables.write(() => this.queue.add(id));
    this.#checkWithin(Math.max(0, (reservationUntilMs(id) ?? 0) - Date.now()));
    return place;
  }

  /** Gives the place back. */
  async release(id: string): Promise<void> {
    await this.finish(id, undefined, undefined);
  }

  /** Goes back to before these runs, while the thread's place is held. Repeating it is harmless. False: the place is lost. */
  async rewind(holder: string, grant: number, rewind: Rewind): Promise<boolean> {
    if (!this.#holdsGrant(holder, grant)) return false;
    this.tables.write(() => this.rewinds.add(rewind));
    // This instance may die before the lists are told.
    this.#checkWithin(CHECK_INTERVAL_MS);
    // The rewind is stored: lists that cannot be told now are told by the alarm.
    await this.#tellReplaced().catch((error: unknown) => log.warn("Lists were not told of a rewind.", { error }));
    return true;
  }

  addCopy(runId: string, grant: number, piece: CopiedPiece): boolean {
    return this.#holdsGrant(runId, grant) && this.tables.write(() => this.copy.add(piece));
  }

  /** Deletes conversation, queue and rules. */
  async purge(): Promise<void> {
    this.#alarm.clear();
    this.hasTables = false;
    await this.ctx.storage.deleteAll();
    await layTombstone(this.ctx.storage, Date.now());
    this.tables.reset();
  }

  override async alarm(): Promise<void> {
    await this.#alarm.ring("session", async () => {
      await this.#watchHead();
      await this.#tellReplaced();
    });
  }

  /** A D1 that never answers must not keep the alarm, which is what starts the next run. */
  #tellReplaced(): Promise<void> {
    return within(TELL_LIMIT_MS, () => tellReplaced(this.env.DB, this.rewinds));
  }

  /** Tells the head that it may run, and finds out whether it is still running. */
  async #watchHead(): Promise<void> {
    if (!this.exists()) return await clearTombstone(this.ctx.storage, Date.now());
    const nextMs = await watchHead(this.env, this.queue, () => this.exists());
    if (nextMs !== undefined) this.#checkWithin(nextMs);
  }

  #holdsGrant(runId: string, grant: number): boolean {
    return this.exists() && this.queue.place(runId)?.grant === grant;
  }

  #checkWithin(ms: number): void {
    this.#alarm.ringBy(Date.now() + ms);
  }
}
