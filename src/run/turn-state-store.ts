/** What a turn remembers of its own requests: one row, made when the run begins. */
import { TurnState } from "../harness/conversation.ts";

/** The `turn_state` table of one run. All writes are in the caller's transaction. */
export class TurnStateStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The state, or undefined for a run that was begun by an earlier release, or never. */
  find(): TurnState | undefined {
    const [row] = this.#sql.exec<{ body: string }>("SELECT body FROM turn_state");
    return row && TurnState.parse(JSON.parse(row.body));
  }

  save(state: TurnState): void {
    this.#sql.exec("INSERT OR REPLACE INTO turn_state (id, body) VALUES (1, ?)", JSON.stringify(state));
  }
}
