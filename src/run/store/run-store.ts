/** The run's own row: its owner, spec and state. Read once per instance, then kept in step with SQLite. */
import type { OwnerEmail } from "../../contract/ids.ts";
import { parseJson } from "../../contract/parse-json.ts";
import { migrateObject } from "../../objects/object-schema.ts";
import type { ObjectTables } from "../../objects/object-tables.ts";
import { RunSpec } from "../run-spec.ts";
import { Attempts, RunState } from "../run-state.ts";
import { FIRST_RUN_TABLES, RUN_MIGRATIONS, RUN_SCHEMA } from "./run-schema.ts";

/** Everything about a run except its log and checkpoints. */
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
  readonly #tables: ObjectTables;
  readonly #sql: SqlStorage;
  #record: RunRecord | undefined;
  #isForgotten = false;

  constructor(storage: DurableObjectStorage, tables: ObjectTables) {
    this.#storage = storage;
    this.#tables = tables;
    this.#sql = storage.sql;
  }

  /** Whether the run was deleted, as far as this instance knows. */
  get isForgotten(): boolean {
    return this.#isForgotten;
  }

  /** The run, or undefined when it was never started or was deleted. */
  find(): RunRecord | undefined {
    if (this.#isForgotten) return undefined;
    this.#record ??= this.#load();
    return this.#record;
  }

  /** The run if it is the owner's: to anybody else it is unknown. */
  findOwned(owner: OwnerEmail): RunRecord | undefined {
    const record = this.find();
    return record?.spec.ownerEmail === owner ? record : undefined;
  }

  /** Creates the tables and the row. In the caller's transaction. */
  create(spec: RunSpec): RunRecord {
    this.#tables.makeFirst(FIRST_RUN_TABLES);
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

  /** Writes a new state, and the attempts if they change. In the caller's transaction. */
  save(record: RunRecord, change: { state?: RunState; attempts?: Attempts }): void {
    const next = { ...record, ...change };
    this.#sql.exec("UPDATE run SET state = ?, attempts = ?", JSON.stringify(next.state), JSON.stringify(next.attempts));
    this.#record = next;
  }

  /** Deletes the log, the checkpoints and the requests. The run and its ending remain known; its events have expired. */
  purgeLog(record: RunRecord, nowMs: number): void {
    for (const table of [
      "transcript",
      "message",
      "tool_call",
      "spent",
      "steer_message",
      "file_change",
      "planned_undo",
    ]) {
      // Each deleted row is billed like a written one; dropping a table is not (decision 0070).
      this.#sql.exec(`DROP TABLE IF EXISTS ${table}`);
    }
    this.#sql.exec(RUN_SCHEMA);
    this.#tables.reset();
    this.#sql.exec("DELETE FROM turn_state");
    // There are few rows, if any: dropping the table would cost a row to create it again, in every run.
    if (this.#tables.has("permission_request")) this.#sql.exec("DELETE FROM permission_request");
    this.#sql.exec("UPDATE run SET purged_at_ms = ?", nowMs);
    this.#record = { ...record, isPurged: true };
  }

  /** Records that the run is being deleted: from now on it does not exist. */
  forget(): void {
    this.#isForgotten = true;
  }

  /** Drops the copy in memory, after a transaction was rolled back. */
  reset(): void {
    this.#record = undefined;
  }

  #load(): RunRecord | undefined {
    if (!migrateObject(this.#storage, this.#tables, "run", RUN_MIGRATIONS)) return undefined;
    const [row] = this.#sql.exec<Row>("SELECT spec, state, attempts, purged_at_ms FROM run");
    if (row === undefined) return undefined;
    return {
      spec: RunSpec.parse(parseJson(row.spec)),
      state: RunState.parse(parseJson(row.state)),
      attempts: Attempts.parse(parseJson(row.attempts)),
      isPurged: row.purged_at_ms !== null,
    };
  }
}
