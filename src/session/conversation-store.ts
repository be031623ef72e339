/**
 * The conversation of a session: append-only rows, so that a turn costs only what it adds. A new epoch leaves everything older in
 * place, but hidden. What is in a row, in the facts and in a summary is known to the harness that wrote it alone.
 */
import type { StoredConversation, StoredRow, TurnRows } from "../harness/stored-conversation.ts";
import type { NewCompaction } from "../harness/turn.ts";
import type { ObjectTables } from "../objects/object-tables.ts";
import { compactionReport, type DroppedCall, type Report, UNTOLD, UNTOLD_BILL } from "./report.ts";
import type { RewindStore } from "./rewind-store.ts";
import { CONVERSATION_TABLES, RARE_TABLES } from "./session-schema.ts";

/** A row as it is stored. `id` grows with each row. */
export type StoredBlock = StoredRow & { readonly id: number; readonly epoch: number };

/** A page of blocks, newest first, and the id to continue before; null when there are no older ones. */
export type BlockPage = { readonly blocks: readonly StoredBlock[]; readonly nextBefore: number | null };

/** What is known about the current epoch besides its blocks; all of it JSON, unparsed. */
export type ConversationHead = Pick<StoredConversation, "compaction" | "facts" | "omitted" | "isRewound"> & {
  /** What no run has reported yet, oldest first. Earlier releases read it by this name. */
  readonly notices: readonly Report[];
  /** The same for model calls that were paid for in vain. Kept apart, because an earlier release cannot read them. */
  readonly bills: readonly Report[];
};

/** A summary as it is stored. */
export type StoredCompaction = {
  readonly epoch: number;
  readonly upToBlock: number;
  readonly block: string;
  readonly event: string;
};

/** Length of a page, in UTF-16 units: most conversations fit on one. */
const MAX_PAGE_LENGTH = 1_000_000;

type Row = { id: number; epoch: number; run_id: string; model: string; message: number; role: string; body: string };

const EPOCH = "(SELECT epoch FROM session)";

/** The `block` table of one session, and those that belong to it. Each writing method is one transaction of its caller. */
export class ConversationStore {
  readonly #tables: ObjectTables;
  readonly #sql: SqlStorage;
  readonly #rewinds: RewindStore;

  constructor(tables: ObjectTables, rewinds: RewindStore) {
    this.#tables = tables;
    this.#sql = tables.sql;
    this.#rewinds = rewinds;
  }

  /** Appends a turn's rows. `omitted`: the turn is not resumed; this line stands in for it. */
  append({ runId, model, rows }: TurnRows, omitted: string | undefined): void {
    this.#tables.make(CONVERSATION_TABLES);
    for (const { message, role, body } of rows) {
      this.#sql.exec(
        `INSERT INTO block (epoch, run_id, model, message, role, body) VALUES (${EPOCH}, ?, ?, ?, ?, ?)`,
        runId,
        model,
        message,
        role,
        body,
      );
    }
    if (omitted === undefined) return;
    this.#makeRareTables();
    this.#sql.exec("INSERT OR REPLACE INTO omitted_turn (run_id, line) VALUES (?, ?)", runId, omitted);
  }

  /** Stores what later requests of the epoch depend on, and which reports the run has made. */
  saveFacts(facts: string, told: readonly number[]): void {
    this.#tables.make(CONVERSATION_TABLES);
    this.#sql.exec(`INSERT OR REPLACE INTO facts (epoch, body) VALUES (${EPOCH}, ?)`, facts);
    this.#rewinds.settle();
    for (const id of told) this.#sql.exec("UPDATE notice SET is_told = 1 WHERE id = ?", id);
  }

  /** The facts of all epochs. */
  allFacts(): string[] {
    if (!this.#tables.has("facts")) return [];
    return [...this.#sql.exec<{ body: string }>("SELECT body FROM facts ORDER BY epoch")].map(({ body }) => body);
  }

  head(): ConversationHead {
    const [facts] = this.#tables.has("block")
      ? this.#sql.exec<{ body: string }>(`SELECT body FROM facts WHERE epoch = ${EPOCH}`)
      : [];
    const known = { facts: facts?.body ?? null, isRewound: this.#rewinds.isFresh };
    if (!this.#findRareTables()) return { ...known, compaction: null, notices: [], bills: [], omitted: {} };
    const omitted = this.#sql.exec<{ run_id: string; line: string }>("SELECT run_id, line FROM omitted_turn");
    return {
      compaction: this.#newestCompaction()?.block ?? null,
      ...known,
      notices: this.#reportsWith(UNTOLD),
      bills: this.#reportsWith(UNTOLD_BILL),
      omitted: Object.fromEntries([...omitted].map(({ run_id, line }) => [run_id, line])),
    };
  }

  /** Blocks of the current epoch that are sent, before `beforeId` (null: from the newest), newest first. */
  page(beforeId: number | null): BlockPage {
    const upTo = this.#findRareTables() ? (this.#newestCompaction()?.up_to_block ?? 0) : 0;
    return this.#page(beforeId, `epoch = ${EPOCH} AND id > ${upTo} AND ${this.#rewinds.sentBlocks}`);
  }

  /** Blocks of all epochs before `beforeId`, newest first. */
  pageOfAll(beforeId: number | null): BlockPage {
    return this.#page(beforeId, "TRUE");
  }

  /** All summaries that were made, oldest first. */
  compactions(): StoredCompaction[] {
    if (!this.#findRareTables()) return [];
    const rows = this.#sql.exec<CompactionRow>("SELECT epoch, up_to_block, block, event FROM compaction ORDER BY id");
    return [...rows].map(({ up_to_block: upToBlock, ...row }) => ({ ...row, upToBlock }));
  }

  /** Stores a summary, once per key. Returns the report of it. */
  saveCompaction(key: string, { upToRunId, block, model, event, facts }: NewCompaction): Report {
    return this.#once(key, compactionReport({ model, event }), () => {
      this.#tables.make(CONVERSATION_TABLES);
      if (facts !== undefined) this.saveFacts(facts, []);
      this.#sql.exec(
        `INSERT INTO compaction (epoch, up_to_block, block, event)
         SELECT ${EPOCH}, max(id), ?, ? FROM block WHERE epoch = ${EPOCH} AND run_id = ? HAVING max(id) IS NOT NULL`,
        block,
        JSON.stringify(event),
        upToRunId,
      );
    });
  }

  /** Starts over with these turns under the same session id, once per key. Returns the report that says why. */
  startEpoch(key: string, turns: readonly TurnRows[], reason: string): Report {
    return this.#once(key, JSON.stringify({ type: "context_reset", reason }), () => {
      this.#sql.exec("UPDATE session SET epoch = epoch + 1");
      for (const turn of turns) this.append(turn, undefined);
    });
  }

  /** Has the next run report a call, once per key. */
  noteDropped(key: string, call: DroppedCall): void {
    this.#once(key, JSON.stringify(call), () => {}, UNTOLD_BILL);
  }

  #reportsWith(isTold: number): Report[] {
    return [...this.#sql.exec<Report>("SELECT id, event FROM notice WHERE is_told = ? ORDER BY id", isTold)];
  }

  #once(key: string, event: string, change: () => void, isTold: number = UNTOLD): Report {
    this.#makeRareTables();
    const find = () => [...this.#sql.exec<Report>("SELECT id, event FROM notice WHERE key = ?", key)][0];
    const known = find();
    if (known !== undefined) return known;
    change();
    const made = this.#sql.exec<Report>(
      "INSERT INTO notice (key, event, is_told) VALUES (?, ?, ?) RETURNING id, event",
      key,
      event,
      isTold,
    );
    return made.one();
  }

  #newestCompaction(): CompactionRow | undefined {
    const [row] = this.#sql.exec<CompactionRow>(
      `SELECT epoch, up_to_block, block, event FROM compaction
       WHERE epoch = ${EPOCH} AND ${this.#rewinds.heldCompactions} ORDER BY id DESC LIMIT 1`,
    );
    return row;
  }

  #page(beforeId: number | null, which: string): BlockPage {
    if (!this.#tables.has("block")) return { blocks: [], nextBefore: null };
    const blocks: StoredBlock[] = [];
    let length = 0;
    const rows = this.#sql.exec<Row>(
      `SELECT * FROM block WHERE id < ? AND ${which} ORDER BY id DESC`,
      beforeId ?? Number.MAX_SAFE_INTEGER,
    );
    for (const { run_id: runId, ...row } of rows) {
      if (length >= MAX_PAGE_LENGTH) return { blocks, nextBefore: blocks.at(-1)?.id ?? null };
      blocks.push({ ...row, runId });
      length += row.body.length;
    }
    return { blocks, nextBefore: null };
  }

  #makeRareTables(): void {
    this.#tables.make(RARE_TABLES);
  }

  #findRareTables(): boolean {
    return this.#tables.has("notice");
  }
}

type CompactionRow = { epoch: number; up_to_block: number; block: string; event: string };
