/**
 * Copies the conversation of some runs from one session to another, in parts that each fit a call. Rows keep their ids, so that a copy
 * which was cut off goes on after the newest row that is there, and a summary still says which rows it covers.
 */
import type { ObjectTables } from "../objects/object-tables.ts";
import type { RewindStore } from "./rewind-store.ts";
import { CONVERSATION_TABLES, RARE_TABLES } from "./session-schema.ts";

/** Length of a part, in UTF-16 units: a row is at most 1 MB, and a call takes 32 MiB. */
const MAX_PART_LENGTH = 4_000_000;

type BlockRow = { id: number; run_id: string; model: string; message: number; role: string; body: string };

type CompactionRow = { id: number; up_to_block: number; block: string; event: string };

/** Some rows, oldest first. `rest` comes with the last ones. */
export type ForkPart = {
  readonly blocks: readonly BlockRow[];
  readonly rest:
    | {
        readonly compactions: readonly CompactionRow[];
        readonly omitted: readonly { run_id: string; line: string }[];
        readonly facts: string | null;
        /** The first of the runs, if they are listed and nothing of theirs is sent (`isHiddenFor`). */
        readonly hiddenSince: string | undefined;
      }
    | undefined;
};

/** The tables of a conversation, as they are copied. Taking is in the caller's transaction. */
export class ForkCopy {
  readonly #tables: ObjectTables;
  readonly #rewinds: RewindStore;

  constructor(tables: ObjectTables, rewinds: RewindStore) {
    this.#tables = tables;
    this.#rewinds = rewinds;
  }

  /** The rows of these runs after row `afterId`, without turns that were replaced, but with those that a summary covers. */
  part(runIds: readonly string[], afterId: number): ForkPart {
    const ids = JSON.stringify(runIds);
    const blocks: BlockRow[] = [];
    let length = 0;
    if (!this.#tables.has("block"))
      return { blocks, rest: { compactions: [], omitted: [], facts: null, hiddenSince: undefined } };
    const rows = this.#tables.sql.exec<BlockRow>(
      `SELECT id, run_id, model, message, role, body FROM block WHERE id > ? AND ${EPOCH} AND ${IS_KEPT}
         AND ${this.#rewinds.sentBlocks} ORDER BY id`,
      afterId,
      ids,
    );
    for (const row of rows) {
      if (length >= MAX_PART_LENGTH) return { blocks, rest: undefined };
      blocks.push(row);
      length += row.body.length;
    }
    return { blocks, rest: this.#rest(ids, runIds[0]) };
  }

  /** Whether the conversation goes on after row `afterId`, which the branch has: it may have started over since. */
  goesOnAfter(afterId: number): boolean {
    if (!this.#tables.has("block")) return true;
    const [other] = this.#tables.sql.exec(`SELECT 1 FROM block WHERE id = ? AND NOT ${EPOCH}`, afterId);
    return other === undefined;
  }

  /** Whether the last part was taken. */
  get isWhole(): boolean {
    return this.#tables.has("rewind");
  }

  /**
   * Stores a part. Does nothing if the part is already there, or if the copy is complete: by then the branch has moved on. Returns the
   * newest row's id, 0 when there is none, or an id that no row comes after once the copy is complete.
   */
  take({ blocks, rest }: ForkPart): number {
    this.#tables.make(CONVERSATION_TABLES);
    if (this.isWhole) return Number.MAX_SAFE_INTEGER;
    this.#takeBlocks(blocks);
    if (rest !== undefined) this.#takeRest(rest);
    return this.#tables.sql.exec<{ id: number | null }>("SELECT max(id) AS id FROM block").one().id ?? 0;
  }

  #takeBlocks(blocks: readonly BlockRow[]): void {
    for (const { id, run_id, model, message, role, body } of blocks) {
      this.#tables.sql.exec(
        "INSERT OR IGNORE INTO block (id, epoch, run_id, model, message, role, body) VALUES (?, 1, ?, ?, ?, ?, ?)",
        ...[id, run_id, model, message, role, body],
      );
    }
  }

  #rest(ids: string, first: string | undefined): NonNullable<ForkPart["rest"]> {
    const { sql } = this.#tables;
    const [facts] = sql.exec<{ body: string }>(`SELECT body FROM facts WHERE ${EPOCH}`);
    const hiddenSince = this.#rewinds.isHiddenFor(IS_KEPT, ids) ? first : undefined;
    const rest = { compactions: [], omitted: [], facts: facts?.body ?? null, hiddenSince };
    if (!this.#tables.has("compaction")) return rest;
    // Only summaries that cover nothing but what is copied.
    const compactions = sql.exec<CompactionRow>(
      `SELECT id, up_to_block, block, event FROM compaction WHERE ${EPOCH} AND ${this.#rewinds.heldCompactions}
         AND NOT EXISTS (SELECT 1 FROM block WHERE block.epoch = compaction.epoch AND block.id <= up_to_block
           AND NOT ${IS_KEPT} AND ${this.#rewinds.sentBlocks})`,
      ids,
    );
    const omitted = sql.exec<{ run_id: string; line: string }>(
      `SELECT run_id, line FROM omitted_turn WHERE ${IS_KEPT}`,
      ids,
    );
    return { ...rest, compactions: [...compactions], omitted: [...omitted] };
  }

  #takeRest({ compactions, omitted, facts, hiddenSince }: NonNullable<ForkPart["rest"]>): void {
    const { sql } = this.#tables;
    if (facts !== null) sql.exec("INSERT OR IGNORE INTO facts (epoch, body) VALUES (1, ?)", facts);
    this.#rewinds.beginFresh();
    if (hiddenSince !== undefined) this.#rewinds.noteHiddenSince(hiddenSince);
    if (compactions.length + omitted.length > 0) this.#tables.make(RARE_TABLES);
    for (const { id, up_to_block, block, event } of compactions) {
      sql.exec(
        "INSERT OR IGNORE INTO compaction (id, epoch, up_to_block, block, event) VALUES (?, 1, ?, ?, ?)",
        ...[id, up_to_block, block, event],
      );
    }
    for (const { run_id, line } of omitted) {
      sql.exec("INSERT OR IGNORE INTO omitted_turn (run_id, line) VALUES (?, ?)", run_id, line);
    }
  }
}

const EPOCH = "epoch = (SELECT epoch FROM session)";

const IS_KEPT = "run_id IN (SELECT value FROM json_each(?))";
