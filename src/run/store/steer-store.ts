/** Messages that a person has sent to the run while it worked: each waits, is given to the model after a step, or is dropped. */
import type { SaidMeanwhile } from "../../harness/turn.ts";
import type { ObjectTables, Tables } from "../../objects/object-tables.ts";

/** `step`: the step after which it was given; null while it waits. `is_told`: its event was written. */
const STEER_TABLES: Tables = {
  names: ["steer_message"],
  schema: `
CREATE TABLE IF NOT EXISTS steer_message (
  position INTEGER PRIMARY KEY,
  message_id TEXT NOT NULL,
  idempotency_key TEXT,
  text TEXT NOT NULL,
  is_told INTEGER NOT NULL,
  step INTEGER,
  is_dropped INTEGER NOT NULL DEFAULT 0
) STRICT;
`,
};

/** A message as it is stored. */
type SteerMessage = { readonly messageId: string; readonly text: string };

type Row = { message_id: string; text: string };

/** The `steer_message` table of one run, which most runs never create. All writes are in the caller's transaction. */
export class SteerStore {
  readonly #tables: ObjectTables;

  constructor(tables: ObjectTables) {
    this.#tables = tables;
  }

  add({ messageId, text }: SteerMessage, key: string | undefined, isTold: boolean): void {
    this.#tables.make(STEER_TABLES);
    this.#tables.sql.exec(
      "INSERT INTO steer_message (message_id, idempotency_key, text, is_told) VALUES (?, ?, ?, ?)",
      messageId,
      key ?? null,
      text,
      isTold ? 1 : 0,
    );
  }

  /** All messages so far, whatever became of them. */
  get count(): number {
    return this.#find("TRUE").length;
  }

  findByKey(key: string): SteerMessage | undefined {
    return this.#find("idempotency_key = ?", key)[0];
  }

  /** Messages that the model has not been given, in the order in which they came. */
  waiting(): SteerMessage[] {
    return this.#find("step IS NULL AND NOT is_dropped");
  }

  /** Messages whose event has not been written. The caller writes their events next. */
  takeUntold(): SteerMessage[] {
    const untold = this.#find("NOT is_told");
    if (untold.length > 0) this.#tables.sql.exec("UPDATE steer_message SET is_told = 1");
    return untold;
  }

  /** Records that all waiting messages are given to the model after this step. */
  apply(step: number): void {
    this.#tables.sql.exec("UPDATE steer_message SET step = ? WHERE step IS NULL AND NOT is_dropped", step);
  }

  /** Records that the waiting messages will never be given to the model. */
  drop(): void {
    this.#tables.sql.exec("UPDATE steer_message SET is_dropped = 1 WHERE step IS NULL");
  }

  /** What the model was given, and after which step, in order. */
  said(): SaidMeanwhile[] {
    if (!this.#tables.has("steer_message")) return [];
    return [
      ...this.#tables.sql.exec<{ step: number; text: string }>(
        "SELECT step, text FROM steer_message WHERE step IS NOT NULL ORDER BY position",
      ),
    ];
  }

  #find(which: string, ...values: readonly string[]): SteerMessage[] {
    if (!this.#tables.has("steer_message")) return [];
    const sql = `SELECT message_id, text FROM steer_message WHERE ${which} ORDER BY position`;
    return [...this.#tables.sql.exec<Row>(sql, ...values)].map((row) => ({
      messageId: row.message_id,
      text: row.text,
    }));
  }
}
