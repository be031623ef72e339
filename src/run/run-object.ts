/** One run: owns everything about it, and drives its loop. All but `undone` and `purge` first check if the loop died with its instance. */
import { DurableObject } from "cloudflare:workers";
import type { OwnerEmail, RequestId } from "../contract/ids.ts";
import type { Env } from "../env.ts";
import { AlarmClock } from "../objects/alarm-clock.ts";
import { clearTombstone, layTombstone, TOMBSTONE } from "../objects/object-schema.ts";
import { answerRequest, deliverRule } from "./answer-request.ts";
import { deleteRun } from "./delete-run.ts";
import { Driver } from "./drive/driver.ts";
import { nextDueMs, settleDue } from "./drive/due.ts";
import { sendRow } from "./drive/hand-over.ts";
import { QueueEntry } from "./drive/queue-entry.ts";
import { type JournalDeps, RunJournal } from "./drive/run-journal.ts";
import type { AnyRequestView, NewRunMessage, PersonAnswer, RunRpc, UndoAsk } from "./run-rpc.ts";
import { RunSpec } from "./run-spec.ts";
import { isDriven, isEnded, isLive } from "./run-state.ts";
import { requestView, runView, statusOf } from "./run-view.ts";
import { steerRun } from "./steer-run.ts";
import { stopRun, waitUntilSettled } from "./stop-run.ts";
import { Ledger } from "./store/ledger.ts";
import type { OutboxRow } from "./store/outbox.ts";
import { eventResponse } from "./stream/event-response.ts";
import { UndoDesk } from "./undo-desk.ts";

/** The object of one run, named by the run id. For methods that take an owner, other people's runs do not exist. */
export class RunObject extends DurableObject<Env> implements RunRpc {
  readonly #ledger = new Ledger(this.ctx.storage, Date.now, () => this.#arm());
  readonly #driver = new Driver({
    env: this.env,
    ledger: this.#ledger,
    createJournal: (deps) => this.createJournal(deps),
    keepAlive: (work) => this.ctx.waitUntil(work),
    ...{ deliver: () => this.#deliver(), nowMs: Date.now, newId: () => crypto.randomUUID() },
  });
  readonly #queueEntry = new QueueEntry(this.env, this.#ledger, (grant, isFirst, screen) =>
    this.#driver.start({ type: "begin", grant, isFirst, screen }),
  );
  readonly #alarm = new AlarmClock(this.ctx.storage);
  readonly #undoDesk = new UndoDesk(this.env, this.#ledger);

  /** Stores the spec and takes a place in the session's queue. Idempotent. `gone`: the thread was deleted in the meantime. */
  async start(spec: RunSpec, screen?: string | null): Promise<"started" | "gone"> {
    if (this.#ledger.runs.find() !== undefined) {
      this.#wake();
      return "started";
    }
    if (this.#ledger.runs.isForgotten || this.#ledger.tables.has(TOMBSTONE)) return "gone";
    const parsed = RunSpec.parse(spec);
    // The session is asked before the write: asked after it, the request would leave only once the write is on disk (decision 0002).
    const place = this.#queueEntry.ask(parsed);
    this.#ledger.create(parsed);
    this.#arm();
    this.#queueEntry.take(parsed, await place, screen);
    // It may have been deleted while the session was asked.
    return this.#ledger.runs.isForgotten ? "gone" : "started";
  }

  /** The session says that this run is at the head, or asks if it is alive. A run is alive until its turn is handed over. */
  async granted(grant: number): Promise<"live" | "ended" | "unknown"> {
    const record = this.#ledger.runs.find();
    if (record === undefined) return "unknown";
    if (isEnded(record.state)) {
      await this.#ledger.outbox.handOver((row) => this.sendRow(row));
      this.ctx.waitUntil(this.#deliver());
      return this.#ledger.outbox.has("session") ? "live" : "ended";
    }
    if (record.state.status === "queued") this.#driver.start({ type: "begin", grant, isFirst: false });
    else this.#wake();
    return "live";
  }

  /** The true status and ending, for holders of a copy; undefined when there is no such run. */
  status() {
    const status = statusOf(this.#ledger.runs.find());
    this.#wake();
    return status;
  }

  view(owner: OwnerEmail) {
    return this.#findOwned(owner) && runView(this.#ledger);
  }

  prompt(owner: OwnerEmail): string | undefined {
    return this.#findOwned(owner)?.spec.prompt;
  }

  /** A request with its whole subject, or questions. */
  request(owner: OwnerEmail, requestId: RequestId): AnyRequestView | undefined | "unknown_run" {
    return this.#findOwned(owner) === undefined ? "unknown_run" : requestView(this.#ledger.requests, requestId);
  }

  /** Takes an answer; the loop goes on from its checkpoint. Returns once the session has any rule the answer makes, or a second later. */
  async answer(owner: OwnerEmail, requestId: RequestId, answer: PersonAnswer) {
    if (this.#findOwned(owner) === undefined) return { type: "unknown_run" as const };
    const result = this.#whileWaiting(() => answerRequest(this.#ledger, requestId, answer, Date.now()));
    await deliverRule(result, () => this.#deliver());
    return result;
  }

  /** Takes a message for the model, which is given it between two steps. */
  steer(owner: OwnerEmail, message: NewRunMessage) {
    return this.#findOwned(owner) === undefined ? { type: "unknown_run" as const } : steerRun(this.#ledger, message);
  }

  /** Stops the run. Idempotent; answers within 3 s, with `aborting` when ending takes longer. */
  async abort(owner: OwnerEmail) {
    const record = this.#findOwned(owner);
    if (record === undefined) return undefined;
    stopRun(this.#ledger, this.#driver, Date.now());
    this.#wake();
    this.#arm();
    if (isLive(record.state)) await waitUntilSettled(this.#driver);
    return this.#ledger.runs.find()?.state.status;
  }

  /** Undoes what the run changed, or says what that would be. */
  undo(owner: OwnerEmail, ask: UndoAsk) {
    return this.#undoDesk.answer(this.#findOwned(owner), ask);
  }

  undone(owner: OwnerEmail) {
    return this.#undoDesk.undone(this.#ledger.runs.findOwned(owner));
  }

  /** Deletes the run permanently: ends it and its streams, and refuses a late `start`. */
  async purge(): Promise<void> {
    await deleteRun(this.#ledger, this.#driver, this.env, Date.now());
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

  /** The journal of the next attempt. Tests override it with one that dies between two steps. */
  protected createJournal(deps: JournalDeps): RunJournal {
    return new RunJournal(deps);
  }

  /** Delivers one row of the outbox. Tests override it too. */
  protected sendRow(row: OutboxRow): Promise<void> {
    return sendRow(row, this.#ledger, this.env);
  }

  /** The run, if it is the owner's. Also finds out whether its loop died. */
  #findOwned(owner: OwnerEmail) {
    const record = this.#ledger.runs.findOwned(owner);
    if (record !== undefined) this.#wake();
    return record;
  }

  /** Recovers a run whose loop, or whose attempt to join the queue, died with an earlier instance. */
  #wake(): void {
    const record = this.#ledger.runs.find();
    if (record === undefined) return;
    const { spec, state } = record;
    if (state.status === "queued" && !this.#queueEntry.hasAsked) this.ctx.waitUntil(this.#queueEntry.join(spec));
    if (isDriven(state) && !this.#driver.isRunning) this.#driver.start({ type: "recover" });
    if (isEnded(state) && !this.#ledger.outbox.hasTried) this.ctx.waitUntil(this.#deliver());
  }

  /** Makes a change that can end a wait; if it did, the loop continues. */
  #whileWaiting<Result>(change: () => Result): Result {
    const wasWaiting = this.#ledger.record().state.status === "waiting_permission";
    const result = change();
    if (wasWaiting && this.#ledger.record().state.status === "running") this.#driver.start({ type: "go_on" });
    this.#arm();
    return result;
  }

  async #deliver(): Promise<void> {
    if (this.#ledger.runs.find() !== undefined) {
      const send = (row: OutboxRow) => this.sendRow(row);
      // Notices go separately, so that the rest does not wait for a push service.
      this.ctx.waitUntil(this.#ledger.outbox.tell(send).then((hasTold) => hasTold && this.#arm()));
      await this.#ledger.outbox.deliver(send);
    }
    this.#arm();
  }

  #arm(): void {
    const record = this.#ledger.runs.find();
    if (record !== undefined) this.#alarm.ringBy(nextDueMs(this.#ledger, record, this.#driver.dueTimes()));
  }
}
