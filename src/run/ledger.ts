/**
 * Everything a run's object stores, behind one `commit`: state, checkpoints and events change together or not at all,
 * and no subscriber is sent a frame before the commit that made it is on disk.
 */
import type { TranscriptEvent } from "../contract/transcript.ts";
import { CheckpointStore } from "./checkpoint-store.ts";
import { Outbox } from "./outbox.ts";
import { RequestStore } from "./request-store.ts";
import { isTransition, logTransition } from "./run-log.ts";
import type { RunSpec } from "./run-spec.ts";
import { isEnded } from "./run-state.ts";
import { type RunRecord, RunStore } from "./run-store.ts";
import { Spending } from "./spending.ts";
import { Subscribers } from "./subscribers.ts";
import { Transcript } from "./transcript.ts";
import { TurnStateStore } from "./turn-state-store.ts";

/** One run's storage, in one instance of its object. */
export class Ledger {
  readonly runs: RunStore;
  readonly checkpoints: CheckpointStore;
  readonly turnState: TurnStateStore;
  readonly spending: Spending;
  readonly requests: RequestStore;
  readonly outbox: Outbox;
  readonly transcript: Transcript;
  readonly subscribers: Subscribers;
  readonly #storage: DurableObjectStorage;
  readonly #nowMs: () => number;

  constructor(storage: DurableObjectStorage, nowMs: () => number) {
    this.#storage = storage;
    this.#nowMs = nowMs;
    this.runs = new RunStore(storage);
    this.checkpoints = new CheckpointStore(storage.sql);
    this.turnState = new TurnStateStore(storage.sql);
    this.spending = new Spending(storage.sql);
    this.requests = new RequestStore(storage.sql);
    this.outbox = new Outbox(storage.sql, nowMs);
    this.transcript = new Transcript(storage.sql, nowMs);
    const { transcript } = this;
    this.subscribers = new Subscribers(
      {
        read: (afterSeq) => transcript.read(afterSeq),
        isOver: (afterSeq) => afterSeq >= transcript.lastSeq && this.#isEnded(),
      },
      nowMs,
    );
  }

  /**
   * Runs `write` in one transaction and appends the events it gives. Subscribers get them once they are on disk.
   * Whatever `write` throws is thrown on, and nothing is changed, in SQLite or in memory.
   */
  commit(write: () => readonly TranscriptEvent[]): void {
    const before = this.runs.find();
    try {
      this.#storage.transactionSync(() => this.transcript.append(write()));
    } catch (error) {
      this.runs.reset();
      this.transcript.reset();
      throw error;
    }
    const after = this.runs.find();
    void this.#publish(this.transcript.lastSeq, isTransition(before, after) ? after : undefined);
  }

  /** Stores a new run. It is `queued`. */
  create(spec: RunSpec): void {
    this.commit(() => {
      this.runs.create(spec);
      return [];
    });
  }

  /** Deletes the log when its retention time is over; the run stays known. */
  purgeLog(nowMs: number): void {
    this.commit(() => {
      this.runs.purgeLog(this.record(), nowMs);
      return [];
    });
    this.transcript.reset();
  }

  /** The run. @throws {Error} when it was never started: callers behind `start` rely on it. */
  record(): RunRecord {
    const record = this.runs.find();
    if (record === undefined) throw new Error("This run was never started.");
    return record;
  }

  /** Resolves when what was committed is on disk and subscribers have been told. */
  async flush(): Promise<void> {
    await this.#publish(this.transcript.lastSeq, undefined);
  }

  /** Deletes everything and ends all streams. */
  async clear(): Promise<void> {
    this.runs.forget();
    this.subscribers.close();
    await this.#storage.deleteAll();
  }

  async #publish(seq: number, transition: RunRecord | undefined): Promise<void> {
    try {
      // `sync` resolves when all writes so far are on disk; a rejection means that this instance has lost its storage,
      // and then nothing of what it wrote may be seen.
      await this.#storage.sync();
    } catch {
      return;
    }
    this.transcript.markDurable(seq);
    // A later commit is already on its way to disk: these frames go out together with its own.
    if (seq === this.transcript.lastSeq) this.subscribers.notify();
    if (transition !== undefined) await logTransition(transition, this.#nowMs());
  }

  #isEnded(): boolean {
    const record = this.runs.find();
    return record === undefined || isEnded(record.state);
  }
}
