/**
 * The conversation of a session: append-only rows, one a content block, so that a turn costs what it adds and no row
 * comes near SQLite's 2 MB. A new epoch leaves everything older where it is and out of sight.
 */
import type { RunId } from "../contract/ids.ts";
import type { ConversationTurn } from "../harness/fit-conversation.ts";

/** One content block as it is stored. `body` is its JSON, unparsed: the run that loads it is the edge that parses. */
export type StoredBlock = {
  readonly id: number;
  readonly runId: string;
  readonly model: string;
  /** Index of its message within the turn. */
  readonly message: number;
  readonly role: string;
  readonly body: string;
};

/** Some blocks, newest first, and the id to go on before; null when there are no older ones. */
export type BlockPage = { readonly blocks: readonly StoredBlock[]; readonly nextBefore: number | null };

/** Length of a page, in UTF-16 units: more than any request sends, so that a turn seldom needs a second one. */
const MAX_PAGE_LENGTH = 1_000_000;

type Row = { id: number; run_id: string; model: string; message: number; role: string; body: string };

/** The `block` table of one session. */
export class ConversationStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Adds a turn's messages behind everything. In the caller's transaction. */
  append(runId: RunId, turn: ConversationTurn): void {
    for (const [message, { role, content }] of turn.messages.entries()) {
      for (const block of content) {
        this.#sql.exec(
          "INSERT INTO block (epoch, run_id, model, message, role, body) VALUES ((SELECT epoch FROM session), ?, ?, ?, ?, ?)",
          runId,
          turn.model,
          message,
          role,
          JSON.stringify(block),
        );
      }
    }
  }

  /** Blocks of the current epoch before `beforeId`, newest first; null for the newest of all. */
  page(beforeId: number | null): BlockPage {
    const blocks: StoredBlock[] = [];
    let length = 0;
    const rows = this.#sql.exec<Row>(
      "SELECT * FROM block WHERE id < ? AND epoch = (SELECT epoch FROM session) ORDER BY id DESC",
      beforeId ?? Number.MAX_SAFE_INTEGER,
    );
    for (const { run_id: runId, ...row } of rows) {
      if (length >= MAX_PAGE_LENGTH) return { blocks, nextBefore: blocks.at(-1)?.id ?? null };
      blocks.push({ id: row.id, runId, model: row.model, message: row.message, role: row.role, body: row.body });
      length += row.body.length;
    }
    return { blocks, nextBefore: null };
  }

  /** Starts over with an empty conversation under the same session id. */
  startEpoch(): void {
    this.#sql.exec("UPDATE session SET epoch = epoch + 1");
  }
}
