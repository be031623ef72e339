/** The run's own row: who owns it, its spec, its state. Read once per instance, then kept in step with SQLite. */
import type { OwnerEmail } from "../contract/ids.ts";
import { migrateObject } from "../session/object-schema.ts";
import { RUN_MIGRATIONS, RUN_SCHEMA } from "./run-schema.ts";
import { RunSpec } from "./run-spec.ts";
import { Attempts, RunState } from "./run-state.ts";

/** Everything about a run but its log and checkpoints. */
export type RunRecord = {
  readonly spec: RunSpec;
  readonly state: RunState;
  readonly attempts: Attempts;
  /** Whether its log was deleted after the retention time. */
  readonly isPurged: boolean;
};

type Row = { spec: string; state: string; attempts: string; purged_at_ms: number | null };

/** The `run` table of one object. */
export class RunStore {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  #record: RunRecord | undefined;
  #isForgotten = false;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
  }

  /** The run, or undefined when it was never started or was deleted. */
  find(): RunRecord | undefined {
    if (this.#isForgotten) return undefined;
    this.#record ??= this.#load();
    return this.#record;
  }

  /** The run if it is the owner's: anybody else's is as good as unknown. */
  findOwned(owner: OwnerEmail): RunRecord | undefined {
    if (this.find() === undefined) return undefined;
    const [row] = this.#sql.exec("SELECT 1 FROM run WHERE owner_email = ?", owner);
    return row === undefined ? undefined : this.#record;
  }

  /** Makes the tables and the row. In the caller's transaction. */
  create(spec: RunSpec): RunRecord {
    this.#sql.exec(RUN_SCHEMA);
    const record: RunRecord = {
      spec,
      state: { status: "queued" },
      attempts: { attempt: 0, streak: 0, checkpoints: 0 },
      isPurged: false,
    };
    this.#sql.exec(
      "INSERT INTO run (id, owner_email, spec, state, attempts) VALUES (1, ?, ?, ?, ?)",
      spec.ownerEmail,
      JSON.stringify(spec),
      JSON.stringify(record.state),
      JSON.stringify(record.attempts),
    );
    this.#record = record;
    return record;
  }

  /** Writes a new state, and attempts where they change. In the caller's transaction. */
  save(record: RunRecord, change: { state?: RunState; attempts?: Attempts }): void {
    const next = { ...record, ...change };
    this.#sql.exec("UPDATE run SET state = ?, attempts = ?", JSON.stringify(next.state), JSON.stringify(next.attempts));
    this.#record = next;
  }

  /** Deletes the log, the checkpoints and what was asked: the run and how it ended stay known, its events have expired. */
  purgeLog(record: RunRecord, nowMs: number): void {
    for (const table of ["transcript", "message", "tool_call", "spent"]) {
      // Each row that is deleted is billed as one that is written; a table that is dropped is not (docs/decisions/0070).
      this.#sql.exec(`DROP TABLE IF EXISTS ${table}`);
    }
    this.#sql.exec(RUN_SCHEMA);
    this.#sql.exec("DELETE FROM turn_state");
    // Few, where there are any: dropping the table would cost a row for making it anew, in every run.
    this.#sql.exec("DELETE FROM permission_request");
    this.#sql.exec("UPDATE run SET purged_at_ms = ?", nowMs);
    this.#record = { ...record, isPurged: true };
  }

  /** Says that the run is being deleted: from now on there is none. */
  forget(): void {
    this.#isForgotten = true;
  }

  /** Forgets what memory holds, after a transaction was rolled back. */
  reset(): void {
    this.#record = undefined;
  }

  #load(): RunRecord | undefined {
    if (!migrateObject(this.#storage, "run", RUN_MIGRATIONS)) return undefined;
    const [row] = this.#sql.exec<Row>("SELECT spec, state, attempts, purged_at_ms FROM run");
    if (row === undefined) return undefined;
    return {
      spec: RunSpec.parse(JSON.parse(row.spec)),
      state: RunState.parse(JSON.parse(row.state)),
      attempts: Attempts.parse(JSON.parse(row.attempts)),
      isPurged: row.purged_at_ms !== null,
    };
  }
}
