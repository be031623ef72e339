/**
 * The conversation of a session: append-only rows, one a content block, so that a turn costs what it adds and no row
 * comes near SQLite's 2 MB. A new epoch leaves everything older where it is and out of sight.
 */
import type { ConversationTurn } from "../harness/conversation.ts";
import type { NewCompaction } from "../harness/turn-keeper.ts";
import { RARE_SCHEMA } from "./session-schema.ts";

/** One content block as it is stored. `body` is its JSON, unparsed: the run that loads it is the edge that parses. */
export type StoredBlock = {
  readonly id: number;
  readonly epoch: number;
  readonly runId: string;
  readonly model: string;
  /** Index of its message within the turn. */
  readonly message: number;
  readonly role: string;
  readonly body: string;
};

/** Some blocks, newest first, and the id to go on before; null when there are no older ones. */
export type BlockPage = { readonly blocks: readonly StoredBlock[]; readonly nextBefore: number | null };

/** What is known of the current epoch beside its blocks; all of it JSON, unparsed. */
export type ConversationHead = {
  /** The summary that stands for everything older than what pages give. */
  readonly compaction: string | null;
  readonly facts: string | null;
  /** Events that no run has told yet, oldest first. */
  readonly notices: readonly Notice[];
  /** Turns that are not sent, by run, with the line that is sent in their place. */
  readonly omitted: Readonly<Record<string, string>>;
};

/** An event that a run has to tell. */
export type Notice = { readonly id: number; readonly event: string };

/** A summary as it is stored. */
export type StoredCompaction = {
  readonly epoch: number;
  readonly upToBlock: number;
  readonly block: string;
  readonly event: string;
};

/** Length of a page, in UTF-16 units: most conversations are one. */
const MAX_PAGE_LENGTH = 1_000_000;

type Row = { id: number; epoch: number; run_id: string; model: string; message: number; role: string; body: string };

const EPOCH = "(SELECT epoch FROM session)";

/** The `block` table of one session, and what belongs to it. Methods that write are each one transaction of their caller. */
export class ConversationStore {
  readonly #sql: SqlStorage;
  #hasRareTables = false;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Adds a turn's messages behind everything. `omitted`: it is not sent; this line is, in its place. */
  append({ runId, model, messages }: ConversationTurn, omitted: string | undefined): void {
    for (const [message, { role, content }] of messages.entries()) {
      for (const block of content) {
        this.#sql.exec(
          `INSERT INTO block (epoch, run_id, model, message, role, body) VALUES (${EPOCH}, ?, ?, ?, ?, ?)`,
          runId,
          model,
          message,
          role,
          JSON.stringify(block),
        );
      }
    }
    if (omitted === undefined) return;
    this.#makeRareTables();
    this.#sql.exec("INSERT OR REPLACE INTO omitted_turn (run_id, line) VALUES (?, ?)", runId, omitted);
  }

  /** Keeps what the epoch's later requests depend on, and that these notices were told. */
  saveFacts(facts: string, told: readonly number[]): void {
    this.#sql.exec(`INSERT OR REPLACE INTO facts (epoch, body) VALUES (${EPOCH}, ?)`, facts);
    for (const id of told) this.#sql.exec("UPDATE notice SET is_told = 1 WHERE id = ?", id);
  }

  head(): ConversationHead {
    const [facts] = this.#sql.exec<{ body: string }>(`SELECT body FROM facts WHERE epoch = ${EPOCH}`);
    if (!this.#findRareTables()) return { compaction: null, facts: facts?.body ?? null, notices: [], omitted: {} };
    const omitted = this.#sql.exec<{ run_id: string; line: string }>("SELECT run_id, line FROM omitted_turn");
    return {
      compaction: this.#newestCompaction()?.block ?? null,
      facts: facts?.body ?? null,
      notices: [
        ...this.#sql.exec<{ id: number; event: string }>("SELECT id, event FROM notice WHERE NOT is_told ORDER BY id"),
      ],
      omitted: Object.fromEntries([...omitted].map(({ run_id, line }) => [run_id, line])),
    };
  }

  /** Blocks of the current epoch that are sent, before `beforeId`, newest first; null for the newest of all. */
  page(beforeId: number | null): BlockPage {
    const upTo = this.#findRareTables() ? (this.#newestCompaction()?.up_to_block ?? 0) : 0;
    return this.#page(beforeId, `epoch = ${EPOCH} AND id > ${upTo}`);
  }

  /** Blocks of all epochs before `beforeId`, newest first. */
  pageOfAll(beforeId: number | null): BlockPage {
    return this.#page(beforeId, "TRUE");
  }

  /** Every summary that was made, oldest first. */
  compactions(): StoredCompaction[] {
    if (!this.#findRareTables()) return [];
    const rows = this.#sql.exec<CompactionRow>("SELECT epoch, up_to_block, block, event FROM compaction ORDER BY id");
    return [...rows].map(({ up_to_block: upToBlock, ...row }) => ({ ...row, upToBlock }));
  }

  /** Keeps a summary, once for a key; the notice that tells of it. */
  saveCompaction(key: string, { upToRunId, block, model, event, facts }: NewCompaction): Notice {
    return this.#once(key, { type: "context_compacted", model, ...event }, () => {
      if (facts !== undefined) this.saveFacts(facts, []);
      this.#sql.exec(
        `INSERT INTO compaction (epoch, up_to_block, block, event)
         SELECT ${EPOCH}, max(id), ?, ? FROM block WHERE epoch = ${EPOCH} AND run_id = ? HAVING max(id) IS NOT NULL`,
        JSON.stringify(block),
        JSON.stringify(event),
        upToRunId,
      );
    });
  }

  /** Starts over with these turns under the same session id, once for a key; the notice that tells why. */
  startEpoch(key: string, turns: readonly ConversationTurn[], reason: string): Notice {
    return this.#once(key, { type: "context_reset", reason }, () => {
      this.#sql.exec("UPDATE session SET epoch = epoch + 1");
      for (const turn of turns) this.append(turn, undefined);
    });
  }

  #once(key: string, event: object, change: () => void): Notice {
    this.#makeRareTables();
    const find = () => [...this.#sql.exec<Notice>("SELECT id, event FROM notice WHERE key = ?", key)][0];
    const known = find();
    if (known !== undefined) return known;
    change();
    const made = this.#sql.exec<Notice>(
      "INSERT INTO notice (key, event, is_told) VALUES (?, ?, 0) RETURNING id, event",
      key,
      JSON.stringify(event),
    );
    return made.one();
  }

  #newestCompaction(): CompactionRow | undefined {
    const [row] = this.#sql.exec<CompactionRow>(
      `SELECT epoch, up_to_block, block, event FROM compaction WHERE epoch = ${EPOCH} ORDER BY id DESC LIMIT 1`,
    );
    return row;
  }

  #page(beforeId: number | null, which: string): BlockPage {
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
    if (!this.#hasRareTables) this.#sql.exec(RARE_SCHEMA);
    this.#hasRareTables = true;
  }

  #findRareTables(): boolean {
    this.#hasRareTables ||= [...this.#sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'notice'")].length > 0;
    return this.#hasRareTables;
  }
}

type CompactionRow = { epoch: number; up_to_block: number; block: string; event: string };
