/**
 * Everything a run's object stores, behind one `commit`: state, checkpoints and events change together or not at all, and no
 * subscriber is sent a frame before its commit is on disk.
 */
import * as z from "zod";
import { parseJson } from "../../contract/parse-json.ts";
import type { TranscriptEvent } from "../../contract/transcript.ts";
import type { HarnessState, TurnCheckpoint } from "../../harness/turn.ts";
import { ObjectTables } from "../../objects/object-tables.ts";
import { BeforeImages } from "../../undo/files/before-images.ts";
import type { RunSpec } from "../run-spec.ts";
import { isEnded } from "../run-state.ts";
import { Subscribers } from "../stream/subscribers.ts";
import { CheckpointStore } from "./checkpoint-store.ts";
import { Outbox } from "./outbox.ts";
import { RequestStore } from "./request-store.ts";
import { isTransition, logTransition } from "./run-log.ts";
import { type RunRecord, RunStore } from "./run-store.ts";
import { Spending } from "./spending.ts";
import { SteerStore } from "./steer-store.ts";
import { Transcript } from "./transcript.ts";

/** What the harness and the run remember of the turn. */
type TurnState = {
  readonly state: HarnessState;
  /** Ids of the session's reports that this run has put into its transcript. */
  readonly told: readonly number[];
  /** A summary's report that the session may not have stored; null when there is none. */
  readonly unkept: string | null;
};

/** The whole state in one JSON object. What the harness remembers in it is known to the harness's adapter alone. */
const StoredTurnState = z.looseObject({ told: z.array(z.int()), unkept: z.string().nullable().default(null) });

/** The `turn_state` table of one run. All writes are in the caller's transaction. */
class TurnStateStore {
  readonly #sql: SqlStorage;
  /** What this instance last saved or read. */
  #state: TurnState | undefined;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The state, or undefined for a run that has not begun, or was begun by an earlier release. */
  find(): TurnState | undefined {
    this.#state ??= this.#read();
    return this.#state;
  }

  /** Saves the state. What is absent from `known` stays as it was. */
  save(state: HarnessState, known: Partial<Omit<TurnState, "state">> = {}): void {
    const { told, unkept }: Omit<TurnState, "state"> = { told: [], unkept: null, ...this.find(), ...known };
    const body = JSON.stringify({ ...state, told, ...(unkept !== null && { unkept }) });
    this.#sql.exec("INSERT OR REPLACE INTO turn_state (id, body) VALUES (1, ?)", body);
    this.#state = { state, told, unkept };
  }

  /** Drops the copy in memory, after a transaction was rolled back or the log has expired. */
  reset(): void {
    this.#state = undefined;
  }

  #read(): TurnState | undefined {
    const [row] = this.#sql.exec<{ body: string }>("SELECT body FROM turn_state");
    if (row === undefined) return undefined;
    const { told, unkept, ...state } = StoredTurnState.parse(parseJson(row.body));
    return { state, told, unkept };
  }
}

/** One run's storage, in one instance of its object. */
export class Ledger {
  readonly tables: ObjectTables;
  readonly runs: RunStore;
  readonly checkpoints: CheckpointStore;
  readonly turnState: TurnStateStore;
  readonly spending: Spending;
  readonly requests: RequestStore;
  readonly images: BeforeImages;
  readonly steering: SteerStore;
  readonly outbox: Outbox;
  readonly transcript: Transcript;
  readonly subscribers: Subscribers;
  readonly #storage: DurableObjectStorage;
  readonly #nowMs: () => number;

  /**
   * `onUnwatched` is called when the last subscriber who watches a run that waits for a person has left. An export may still be reading.
   */
  constructor(storage: DurableObjectStorage, nowMs: () => number, onUnwatched: () => void = () => {}) {
    this.#storage = storage;
    this.#nowMs = nowMs;
    this.tables = new ObjectTables(storage);
    this.runs = new RunStore(storage, this.tables);
    this.checkpoints = new CheckpointStore(this.tables);
    this.turnState = new TurnStateStore(storage.sql);
    this.spending = new Spending(this.tables);
    this.requests = new RequestStore(this.tables);
    this.steering = new SteerStore(this.tables);
    this.images = new BeforeImages(this.tables);
    this.outbox = new Outbox(this.tables, nowMs);
    this.transcript = new Transcript(storage.sql, nowMs);
    const { transcript } = this;
    this.subscribers = new Subscribers(
      {
        read: (afterSeq, maxBytes) => transcript.read(afterSeq, maxBytes),
        isOver: (afterSeq) => afterSeq >= transcript.lastSeq && this.#isEnded(),
      },
      nowMs,
      () => this.runs.find()?.state.status === "waiting_permission" && onUnwatched(),
    );
  }

  /**
   * Runs `write` in one transaction and appends the events it returns. Subscribers get them once they are on disk. Whatever
   * `write` throws is rethrown, and nothing is changed, in SQLite or in memory.
   */
  commit(write: () => readonly TranscriptEvent[]): void {
    this.#commit(this.runs.find(), write);
  }

  /** Stores a new run as `queued`. The caller knows that there is none yet. */
  create(spec: RunSpec): void {
    this.#commit(undefined, () => {
      this.runs.create(spec);
      this.transcript.begin();
      return [];
    });
  }

  /** Deletes the log when its retention time is over; the run itself remains known. */
  purgeLog(nowMs: number): void {
    this.commit(() => {
      this.runs.purgeLog(this.record(), nowMs);
      return [];
    });
    this.transcript.reset();
    this.turnState.reset();
  }

  /** The run. @throws {Error} when it was never started: only callers that run after `start` use it. */
  record(): RunRecord {
    const record = this.runs.find();
    if (record === undefined) throw new Error("This run was never started.");
    return record;
  }

  /** All that was committed of the turn. */
  turn(): TurnCheckpoint {
    return this.checkpoints.turn(this.record().spec.prompt, this.steering.said());
  }

  /** Resolves when everything committed is on disk and subscribers have been notified. */
  async flush(): Promise<void> {
    await this.#publish(this.transcript.lastSeq, undefined);
  }

  /** Deletes everything and ends all streams. */
  async clear(): Promise<void> {
    this.runs.forget();
    this.subscribers.close();
    await this.#storage.deleteAll();
    this.tables.reset();
  }

  #commit(before: RunRecord | undefined, write: () => readonly TranscriptEvent[]): void {
    try {
      this.tables.write(() => this.transcript.append(write()));
    } catch (error) {
      this.runs.reset();
      this.transcript.reset();
      this.turnState.reset();
      throw error;
    }
    const after = this.runs.find();
    void this.#publish(this.transcript.lastSeq, isTransition(before, after) ? after : undefined);
  }

  async #publish(seq: number, transition: RunRecord | undefined): Promise<void> {
    try {
      // `sync` resolves when all writes so far are on disk. A rejection means that this instance has lost its storage; then
      // nothing it wrote may be seen.
      await this.#storage.sync();
    } catch {
      return;
    }
    this.transcript.markDurable(seq);
    // Even while a later commit is being written: when commits come faster than the disk takes them, there always is such a commit.
    this.subscribers.notify();
    if (transition !== undefined) await logTransition(transition, this.#nowMs());
  }

  #isEnded(): boolean {
    const record = this.runs.find();
    return record === undefined || isEnded(record.state);
  }
}
