/**
 * One run: owns everything about it and drives its loop. Every call first looks whether the loop died with an earlier
 * instance; the alarm does the same when nobody calls.
 */
import { DurableObject } from "cloudflare:workers";
import type { OwnerEmail, RequestId } from "../contract/ids.ts";
import type { PermissionAnswer } from "../contract/permission.ts";
import type { RunStatus, RunView } from "../contract/run.ts";
import type { Env } from "../env.ts";
import { AlarmClock } from "../session/alarm-clock.ts";
import { clearTombstone, isTombstoned, layTombstone } from "../session/tombstone.ts";
import { type AnswerResult, answerRequest } from "./answer-request.ts";
import { deleteRun } from "./delete-run.ts";
import { Driver } from "./driver.ts";
import { nextDueMs, settleDue } from "./due.ts";
import { ABORTED, endRun } from "./end-run.ts";
import { eventResponse } from "./event-response.ts";
import { sendRow } from "./hand-over.ts";
import { Ledger } from "./ledger.ts";
import type { OutboxRow } from "./outbox.ts";
import { QueueEntry } from "./queue-entry.ts";
import { requestView } from "./request-view.ts";
import { type JournalDeps, RunJournal } from "./run-journal.ts";
import { RunSpec } from "./run-spec.ts";
import { endingOf, isEnded, isLive, type RunEnding } from "./run-state.ts";
import type { RunRecord } from "./run-store.ts";
import { runView } from "./run-view.ts";
import { ABORT_ANSWER_MS, stopRun } from "./stop-run.ts";

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
  readonly #queueEntry = new QueueEntry(this.env, this.#ledger, (grant) =>
    this.#driver.start({ type: "begin", grant }),
  );
  readonly #alarm = new AlarmClock(this.ctx.storage);

  /** Stores the spec and takes a place in the session's queue. Idempotent. `gone`: the thread was deleted meanwhile. */
  async start(spec: RunSpec): Promise<"started" | "gone"> {
    if (isTombstoned(this.ctx.storage.sql)) return "gone";
    if (this.#ledger.runs.find() !== undefined) {
      this.#wake();
      return "started";
    }
    const parsed = RunSpec.parse(spec);
    // Asked before the write: the output gate would hold the call until the write is on disk (docs/decisions/0002).
    const place = this.#queueEntry.ask(parsed);
    this.#ledger.create(parsed);
    this.#arm();
    this.#queueEntry.take(parsed, await place);
    return isTombstoned(this.ctx.storage.sql) ? "gone" : "started";
  }

  /** The session says that this run's turn has come, or asks whether it still lives. */
  async granted(grant: number): Promise<"live" | "ended" | "unknown"> {
    const record = this.#ledger.runs.find();
    if (record === undefined) return "unknown";
    if (isEnded(record.state)) {
      await this.#deliver(true);
      return this.#ledger.outbox.has("session") ? "live" : "ended";
    }
    if (record.state.status === "queued") this.#driver.start({ type: "begin", grant });
    else this.#wake();
    return "live";
  }

  /** The true status, and how the run ended, for those who hold a copy; undefined when there is no such run. */
  status(): { status: RunStatus; ending: RunEnding | undefined } | undefined {
    const state = this.#ledger.runs.find()?.state;
    this.#wake();
    return state && { status: state.status, ending: endingOf(state) };
  }

  view(owner: OwnerEmail): RunView | undefined {
    const record = this.#findOwned(owner);
    return record && runView(this.#ledger, record);
  }

  prompt(owner: OwnerEmail): string | undefined {
    return this.#findOwned(owner)?.spec.prompt;
  }

  /** A request with its whole subject. */
  request(owner: OwnerEmail, requestId: RequestId): ReturnType<typeof requestView> | "unknown_run" {
    const record = this.#findOwned(owner);
    return record === undefined ? "unknown_run" : requestView(this.#ledger.requests, requestId);
  }

  /** Takes an answer; once it counts, the loop goes on from its checkpoint. */
  answer(owner: OwnerEmail, requestId: RequestId, answer: PermissionAnswer): AnswerResult | { type: "unknown_run" } {
    if (this.#findOwned(owner) === undefined) return { type: "unknown_run" };
    return this.#whileWaiting(() => answerRequest(this.#ledger, requestId, answer, Date.now()));
  }

  /** Stops the run. Idempotent; answers within 3 s, with `aborting` when ending takes longer. */
  async abort(owner: OwnerEmail): Promise<RunStatus | undefined> {
    const record = this.#findOwned(owner);
    if (record === undefined) return undefined;
    if (record.state.status === "queued") {
      this.#driver.stop();
      endRun(this.#ledger, ABORTED, Date.now());
      this.ctx.waitUntil(this.#deliver());
    } else if (isLive(record.state)) {
      stopRun(this.#ledger, this.#driver, Date.now());
      this.#wake();
      this.#arm();
      await Promise.race([this.#driver.settled(), scheduler.wait(ABORT_ANSWER_MS)]);
    }
    return this.#ledger.runs.find()?.state.status;
  }

  /** Deletes the run for good: ends it and its streams, refuses a late `start`. */
  async purge(): Promise<void> {
    this.#driver.flush();
    this.#driver.stop();
    await deleteRun(this.#ledger, this.env, Date.now());
    this.#alarm.clear();
    await layTombstone(this.ctx.storage, Date.now());
  }

  /** The event stream. Only the Worker calls it, with the caller and the parsed cursor in headers. */
  override async fetch(request: Request): Promise<Response> {
    this.#wake();
    return eventResponse(this.#ledger, request, this.env);
  }

  override async alarm(): Promise<void> {
    await this.#alarm.ring("run", async () => {
      const record = this.#ledger.runs.find();
      if (record === undefined) return await clearTombstone(this.ctx.storage, Date.now());
      this.#driver.endOverdue();
      this.#whileWaiting(() => settleDue(this.#ledger, record, this.#driver.dueTimes()));
      if (record.state.status === "queued") await this.#queueEntry.join(record.spec);
      this.#wake();
      await this.#deliver();
    });
  }

  /** The journal of the next attempt. A seam: tests put one here that dies between two steps. */
  protected createJournal(deps: JournalDeps): RunJournal {
    return new RunJournal(deps);
  }

  /** Delivers one row of the outbox. A seam, as above. */
  protected sendRow(row: OutboxRow): Promise<void> {
    return sendRow(row, this.#ledger, this.env);
  }

  /** The run, if it is the owner's. Whoever looks also finds out whether it died. */
  #findOwned(owner: OwnerEmail): RunRecord | undefined {
    const record = this.#ledger.runs.findOwned(owner);
    if (record !== undefined) this.#wake();
    return record;
  }

  /** Finds a run whose loop, or whose way into the queue, died with an earlier instance. */
  #wake(): void {
    const record = this.#ledger.runs.find();
    if (record === undefined) return;
    const { spec, state } = record;
    if (state.status === "queued" && !this.#queueEntry.hasAsked) this.ctx.waitUntil(this.#queueEntry.join(spec));
    const shouldRun = state.status === "running" || state.status === "aborting";
    if (shouldRun && !this.#driver.isRunning) this.#driver.start({ type: "recover" });
    if (isEnded(state) && !this.#ledger.outbox.hasTried) this.ctx.waitUntil(this.#deliver());
  }

  /** Does what can end a wait; the loop goes on when it did. */
  #whileWaiting<Result>(change: () => Result): Result {
    const wasWaiting = this.#ledger.record().state.status === "waiting_permission";
    const result = change();
    const isRunning = this.#ledger.record().state.status === "running";
    if (wasWaiting && isRunning) this.#driver.start({ type: "go_on" });
    this.#arm();
    return result;
  }

  async #deliver(isAsked = false): Promise<void> {
    if (this.#ledger.runs.find() !== undefined) await this.#ledger.outbox.deliver((row) => this.sendRow(row), isAsked);
    this.#arm();
  }

  #arm(): void {
    const record = this.#ledger.runs.find();
    if (record !== undefined) this.#alarm.ringBy(nextDueMs(this.#ledger, record, this.#driver.dueTimes()));
  }
}
