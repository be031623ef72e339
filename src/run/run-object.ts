/**
 * One run: owns everything about it and drives its loop. Every call first looks whether the loop died with an earlier
 * instance; the alarm does the same when nobody calls.
 */
import { DurableObject } from "cloudflare:workers";
import type { OwnerEmail, RequestId } from "../contract/ids.ts";
import type { PermissionAnswer } from "../contract/permission.ts";
import type { RunStatus, RunView } from "../contract/run.ts";
import type { Env } from "../env.ts";
import type { QueuePlace } from "../session/run-queue.ts";
import { type AnswerResult, answerRequest, expireRequest } from "./answer-request.ts";
import { Driver } from "./driver.ts";
import { FORCED_END_MS, nextDueMs, RETENTION_MS } from "./due.ts";
import { closeRequest, endRun } from "./end-run.ts";
import { eventResponse } from "./event-response.ts";
import { sendRow } from "./hand-over.ts";
import { Ledger } from "./ledger.ts";
import type { OutboxRow } from "./outbox.ts";
import { requestView } from "./request-view.ts";
import { userMessageEvent } from "./run-events.ts";
import { type JournalDeps, RunJournal } from "./run-journal.ts";
import { RunSpec } from "./run-spec.ts";
import { isEnded, isLive, startedPart } from "./run-state.ts";
import { runView } from "./run-view.ts";
import { isTombstoned, layTombstone } from "./tombstone.ts";

/** How long an abort waits for the end before it answers `aborting` (CONTRACT §2). */
const ABORT_ANSWER_MS = 3_000;

const ABORTED = { type: "ended", status: "aborted", stopReason: "aborted", error: null } as const;

/** The object behind one run; its name is the run id. Methods that take an owner know nobody else's runs. */
export class RunObject extends DurableObject<Env> {
  readonly #ledger = new Ledger(this.ctx.storage, Date.now);
  readonly #driver = new Driver({
    env: this.env,
    ledger: this.#ledger,
    createJournal: (deps) => this.createJournal(deps),
    keepAlive: (work) => this.ctx.waitUntil(work),
    deliver: () => this.#deliver(),
    nowMs: Date.now,
    newId: () => crypto.randomUUID(),
  });
  /** When the alarm is set for, as far as this instance knows. */
  #alarmAtMs: number | undefined;
  /** Whether this instance has tried to take the run's place, or to hand over; if not, an earlier one may have died. */
  #hasJoined = false;
  #hasDelivered = false;

  /** Stores the spec and takes a place in the session's queue. Idempotent. `gone`: the thread was deleted meanwhile. */
  async start(spec: RunSpec): Promise<"started" | "gone"> {
    if (isTombstoned(this.ctx.storage.sql)) return "gone";
    if (this.#ledger.runs.find() !== undefined) {
      await this.#join();
      return "started";
    }
    const parsed = RunSpec.parse(spec);
    // Asked before the write: the output gate would hold the call until the write is on disk, and the two can go together.
    // A session that answers for a run which then was never stored drops it by itself.
    const place = this.#askForPlace(parsed);
    this.#ledger.create(parsed);
    this.#arm();
    await this.#takePlace(parsed, place);
    return "started";
  }

  /** The session says that this run's turn has come, or asks whether it still lives. */
  async granted(grant: number): Promise<"live" | "ended" | "unknown"> {
    const record = this.#ledger.runs.find();
    if (record === undefined) return "unknown";
    if (isEnded(record.state)) {
      await this.#deliver();
      return "ended";
    }
    if (record.state.status === "queued") this.#driver.start({ type: "begin", grant });
    else this.#wake();
    return "live";
  }

  /** The true status, for those who hold a copy; undefined when there is no such run. */
  status(): { status: RunStatus; endedAtMs: number | undefined } | undefined {
    const record = this.#ledger.runs.find();
    if (record === undefined) return undefined;
    this.#wake();
    return { status: record.state.status, endedAtMs: isEnded(record.state) ? record.state.endedAtMs : undefined };
  }

  view(owner: OwnerEmail): RunView | undefined {
    const record = this.#ledger.runs.findOwned(owner);
    if (record === undefined) return undefined;
    this.#wake();
    return runView(this.#ledger, record);
  }

  prompt(owner: OwnerEmail): string | undefined {
    return this.#ledger.runs.findOwned(owner)?.spec.prompt;
  }

  /** A request with its whole subject. */
  request(owner: OwnerEmail, requestId: RequestId): ReturnType<typeof requestView> | "unknown_run" {
    if (this.#ledger.runs.findOwned(owner) === undefined) return "unknown_run";
    return requestView(this.#ledger.requests, requestId);
  }

  /** Takes an answer; once it counts, the loop goes on from its checkpoint. */
  answer(owner: OwnerEmail, requestId: RequestId, answer: PermissionAnswer): AnswerResult | { type: "unknown_run" } {
    if (this.#ledger.runs.findOwned(owner) === undefined) return { type: "unknown_run" };
    return this.#whileWaiting(() => answerRequest(this.#ledger, requestId, answer, Date.now()));
  }

  /** Stops the run. Idempotent; answers within 3 s, with `aborting` when ending takes longer. */
  async abort(owner: OwnerEmail): Promise<RunStatus | undefined> {
    const record = this.#ledger.runs.findOwned(owner);
    if (record === undefined) return undefined;
    if (record.state.status === "queued") {
      endRun(this.#ledger, ABORTED, Date.now());
      this.ctx.waitUntil(this.#deliver());
    } else if (isLive(record.state)) {
      this.#stop();
      await Promise.race([this.#driver.settled(), scheduler.wait(ABORT_ANSWER_MS)]);
    }
    return this.#ledger.runs.find()?.state.status;
  }

  /** Deletes the run for good: stops it, ends its streams, refuses a late `start`. */
  async purge(): Promise<void> {
    this.#driver.stop();
    await this.#ledger.clear();
    await layTombstone(this.ctx.storage, Date.now());
  }

  /** The event stream. Only the Worker calls it, with the caller and the parsed cursor in headers. */
  override async fetch(request: Request): Promise<Response> {
    this.#wake();
    return eventResponse(this.#ledger, request);
  }

  override async alarm(): Promise<void> {
    this.#alarmAtMs = undefined;
    const record = this.#ledger.runs.find();
    if (record === undefined) return await this.ctx.storage.deleteAll();
    const nowMs = Date.now();
    const { state } = record;
    if (state.status === "queued") await this.#join();
    else if (state.status === "running") this.#driver.stopWhenExpired();
    else if (state.status === "aborting" && nowMs - state.sinceMs >= FORCED_END_MS)
      endRun(this.#ledger, ABORTED, nowMs);
    else if (state.status === "waiting_permission") this.#whileWaiting(() => expireRequest(this.#ledger, nowMs));
    else if (isEnded(state) && nowMs - state.endedAtMs >= RETENTION_MS) this.#ledger.purgeLog(nowMs);
    this.#wake();
    await this.#deliver();
  }

  /** The journal of the next attempt. A seam: tests put one here that dies between two steps. */
  protected createJournal(deps: JournalDeps): RunJournal {
    return new RunJournal(deps);
  }

  /** Delivers one row of the outbox. A seam, as above. */
  protected sendRow(row: OutboxRow): Promise<void> {
    return sendRow(row, this.#ledger, this.env);
  }

  async #join(): Promise<void> {
    const { spec } = this.#ledger.record();
    await this.#takePlace(spec, this.#askForPlace(spec));
  }

  /** Asks the session for the run's place in its queue. A failure is left to the alarm. */
  async #askForPlace(spec: RunSpec): Promise<QueuePlace | undefined> {
    this.#hasJoined = true;
    try {
      return await this.env.SESSIONS.getByName(spec.sessionId).enqueue(spec.runId);
    } catch (error) {
      this.#hasJoined = false;
      const message = "No place in the queue yet.";
      console.warn(JSON.stringify({ level: "warn", message, runId: spec.runId, error: String(error) }));
      return undefined;
    }
  }

  /** Begins when nobody is ahead, else says that it waits. */
  async #takePlace(spec: RunSpec, asked: Promise<QueuePlace | undefined>): Promise<void> {
    const place = await asked;
    // The run may have been stopped, deleted or granted while the session was asked.
    if (place === undefined || this.#ledger.runs.find()?.state.status !== "queued") return;
    if (place.grant !== undefined) return this.#driver.start({ type: "begin", grant: place.grant });
    if (this.#ledger.transcript.lastSeq > 0) return;
    const { runId, threadId } = spec;
    this.#ledger.commit(() => [
      { type: "run_queued", runId, threadId, position: place.ahead },
      userMessageEvent(spec, crypto.randomUUID()),
    ]);
  }

  /** Finds a run whose loop, or whose way into the queue, died with an earlier instance. */
  #wake(): void {
    const state = this.#ledger.runs.find()?.state;
    if (state?.status === "queued" && !this.#hasJoined) this.ctx.waitUntil(this.#join());
    const shouldRun = state?.status === "running" || state?.status === "aborting";
    if (shouldRun && !this.#driver.isRunning) this.#driver.start({ type: "recover" });
    if (state !== undefined && isEnded(state) && !this.#hasDelivered) this.ctx.waitUntil(this.#deliver());
  }

  /** Does what can end a wait; the loop goes on when it did. */
  #whileWaiting<Result>(change: () => Result): Result {
    const wasWaiting = this.#ledger.record().state.status === "waiting_permission";
    const result = change();
    if (wasWaiting && this.#ledger.record().state.status === "running") {
      this.#driver.start({ type: "go_on" });
      this.#arm();
    }
    return result;
  }

  /** Writes `aborting`, then tells the loop; without one, a loop is started that only closes what is open. */
  #stop(): void {
    const { state } = this.#ledger.record();
    if (isLive(state) && state.status !== "aborting") {
      this.#driver.flush();
      this.#ledger.commit(() => {
        const aborting = { status: "aborting", ...startedPart(state), sinceMs: Date.now() } as const;
        this.#ledger.runs.save(this.#ledger.record(), { state: aborting });
        return [{ type: "run_status", status: "aborting" }, ...closeRequest(this.#ledger)];
      });
    }
    this.#driver.stop();
    this.#wake();
    this.#arm();
  }

  async #deliver(): Promise<void> {
    this.#hasDelivered = true;
    await this.#ledger.outbox.deliver((row) => this.sendRow(row));
    this.#arm();
  }

  /** Brings the one alarm forward to what is due next; never moves it back, so that a written row is saved. */
  #arm(): void {
    const record = this.#ledger.runs.find();
    if (record === undefined) return;
    const atMs = nextDueMs(this.#ledger, record, Date.now());
    if (atMs === undefined || (this.#alarmAtMs !== undefined && this.#alarmAtMs <= atMs)) return;
    this.#alarmAtMs = atMs;
    void this.ctx.storage.setAlarm(atMs);
  }
}
