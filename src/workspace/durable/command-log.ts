/**
 * Records which commands an object has run, by call id, so that none runs twice and a caller that lost its connection can still get
 * the result. Kept for an hour after the start (run.md, Recovery).
 */
import type { CommandResult } from "../workspace.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS commands (
    call_id TEXT PRIMARY KEY,
    started_at_ms INTEGER NOT NULL,
    ending TEXT CHECK (ending IN ('exited', 'timed_out', 'aborted')),
    exit_code INTEGER,
    is_cut INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS command_outputs (
    call_id TEXT NOT NULL,
    stream TEXT NOT NULL CHECK (stream IN ('stdout', 'stderr')),
    text TEXT NOT NULL,
    PRIMARY KEY (call_id, stream)
  ) STRICT, WITHOUT ROWID;
`;

/** How long a command is known after its start, in ms. */
export const COMMAND_KEPT_MS = 60 * 60_000;

type Row = {
  ending: CommandResult["end"] | null;
  exit_code: number | null;
  is_cut: number | null;
};

/** `start` and `find` create its tables: an object that never ran a command has none. */
export class CommandLog {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Records that a command begins. Returns false if its id is known: it must not run then. Deletes records that are an hour old. */
  start(callId: string, nowMs: number): boolean {
    this.#sql.exec(SCHEMA);
    this.dropExpired(nowMs);
    const { rowsWritten } = this.#sql.exec(
      "INSERT INTO commands (call_id, started_at_ms) VALUES (?, ?) ON CONFLICT DO NOTHING",
      callId,
      nowMs,
    );
    return rowsWritten > 0;
  }

  /** Deletes records that are an hour old. Returns when the next one will be that old, in epoch ms; undefined when there is none. */
  dropExpired(nowMs: number): number | undefined {
    if ([...this.#sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'commands'")].length === 0) return undefined;
    const lastMs = nowMs - COMMAND_KEPT_MS;
    this.#sql.exec(
      "DELETE FROM command_outputs WHERE call_id IN (SELECT call_id FROM commands WHERE started_at_ms <= ?)",
      lastMs,
    );
    this.#sql.exec("DELETE FROM commands WHERE started_at_ms <= ?", lastMs);
    const sql = "SELECT min(started_at_ms) AS oldest FROM commands";
    const { oldest } = this.#sql.exec<{ oldest: number | null }>(sql).one();
    return oldest === null ? undefined : oldest + COMMAND_KEPT_MS;
  }

  /** Stores how a command ended. Each stream has its own row, since a row is limited to 2 MB. */
  end(callId: string, result: CommandResult): void {
    this.#sql.exec(
      "UPDATE commands SET ending = ?, exit_code = ?, is_cut = ? WHERE call_id = ?",
      result.end,
      result.exitCode,
      result.isCut ? 1 : 0,
      callId,
    );
    this.#sql.exec(
      "INSERT INTO command_outputs (call_id, stream, text) VALUES (?1, 'stdout', ?2), (?1, 'stderr', ?3)",
      callId,
      result.stdout,
      result.stderr,
    );
  }

  /** How a command ended, or undefined when that is unknown: never started, deleted, or lost with its object. */
  find(callId: string): CommandResult | undefined {
    this.#sql.exec(SCHEMA);
    const [row] = this.#sql.exec<Row>("SELECT ending, exit_code, is_cut FROM commands WHERE call_id = ?", callId);
    if (row === undefined || row.ending === null) return undefined;
    return {
      end: row.ending,
      exitCode: row.exit_code,
      stdout: this.#output(callId, "stdout"),
      stderr: this.#output(callId, "stderr"),
      isCut: row.is_cut === 1,
    };
  }

  #output(callId: string, stream: "stdout" | "stderr"): string {
    const [row] = this.#sql.exec<{ text: string }>(
      "SELECT text FROM command_outputs WHERE call_id = ? AND stream = ?",
      callId,
      stream,
    );
    return row?.text ?? "";
  }
}
