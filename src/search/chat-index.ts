/** What was said in a person's chats, by word. */
import { foldText, searchWords } from "../contract/fold-text.ts";
import { cutText } from "../contract/plain-text.ts";
import { migrateObject } from "../objects/object-schema.ts";
import { ObjectTables } from "../objects/object-tables.ts";
import { oneLine, textAround } from "./found-line.ts";
import type { BranchedTurns, Found, SaidInTurn } from "./search-rpc.ts";
import { AWAITED_TABLES, SEARCH_MIGRATIONS, SEARCH_TABLES } from "./search-schema.ts";
import { awaitTurns, copyTurns, insertTurn, isTurnMissing, removeTurns, takeAwaiting } from "./turn-rows.ts";

/** How much of a prompt, and of an answer, is searched, in UTF-16 units: more than almost all have. */
const MAX_TEXT_LENGTH = 20_000;

/**
 * Limits of a search through all text, newest turns first, which is made where no word of the index begins as asked. `length` is in UTF-16
 * units: folding some million of them takes a second. `ms` is how long the search may take.
 */
const SCAN_LIMITS = { turns: 2_000, length: 20_000_000, ms: 5_000 };

/** Turns that are looked at between two yields: a fraction of a second where they are long. */
const TURNS_A_PIECE = 16;

/** Most turns that are found, the newest ones; several may be of one thread. */
const MAX_FOUND = 300;

/** How much is shown around what was found, in words of the index: what two lines of the list hold. */
const SHOWN_TOKENS = 12;

/** How long a deleted thread is remembered, in ms: far longer than any call is on its way. */
const GONE_MS = 24 * 3_600_000;

/** Scripts that put no spaces between words: a run of their letters is one word of the index. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** What a turn has; a newer turn has a larger id. */
type Hit = Found & { readonly id: number };

type TextRow = { thread_id: string; prompt: string; answer: string };

/** The tables of one person's search. */
export class ChatIndex {
  readonly #storage: DurableObjectStorage;
  readonly #tables: ObjectTables;
  readonly #limits: typeof SCAN_LIMITS;
  #exists = false;

  constructor(storage: DurableObjectStorage, limits = SCAN_LIMITS) {
    this.#storage = storage;
    this.#limits = limits;
    this.#tables = new ObjectTables(storage);
  }

  put({ threadId, runId, createdAtMs, prompt, answer }: SaidInTurn): void {
    this.#change((sql) => {
      const texts = [cutText(prompt, MAX_TEXT_LENGTH), cutText(answer, MAX_TEXT_LENGTH)] as const;
      // Branches get the turn even when this thread was deleted.
      const branches = this.#tables.has("awaited") ? takeAwaiting(sql, runId) : [];
      for (const branch of branches) insertTurn(sql, branch, `${runId}:${branch}`, texts);
      const [gone] = sql.exec("SELECT 1 FROM gone WHERE thread_id = ? AND at_ms >= ?", threadId, createdAtMs);
      if (gone === undefined) insertTurn(sql, threadId, runId, texts);
    });
  }

  /** Copies turns of a thread to a branch of it, each once. Turns that come in later follow. Returns whether there are more. */
  branch(turns: BranchedTurns): boolean {
    return this.#change((sql) => {
      const [gone] = sql.exec("SELECT 1 FROM gone WHERE thread_id = ?", turns.to);
      if (gone !== undefined) return false;
      if (copyTurns(sql, turns)) return true;
      if (!isTurnMissing(sql, turns)) return false;
      this.#tables.make(AWAITED_TABLES);
      awaitTurns(sql, turns);
      return false;
    });
  }

  /** Removes turns of a thread, except those of these runs. Returns whether there are more. */
  removeThread(threadId: string, untilMs: number, keptRunIds: readonly string[]): boolean {
    return this.#change((sql) => {
      sql.exec("DELETE FROM gone WHERE at_ms < ?", untilMs - GONE_MS);
      sql.exec("INSERT OR REPLACE INTO gone (thread_id, at_ms) VALUES (?, ?)", threadId, untilMs);
      if (this.#tables.has("awaited")) sql.exec("DELETE FROM awaited WHERE thread_id = ?", threadId);
      const which =
        "thread_id = ?1 ->> '$.threadId' AND run_id NOT IN (SELECT value FROM json_each(?1, '$.keptRunIds'))";
      return removeTurns(sql, which, JSON.stringify({ threadId, keptRunIds }));
    });
  }

  /**
   * Threads, each once with its newest hit; the caller puts them in order. Words are found by their beginning. Where none is found, or the
   * script puts no spaces between words, all text is searched, including for signs.
   */
  async find(query: string): Promise<Found[]> {
    if (!this.#isThere()) return [];
    const expression = matchExpression(query);
    const matches = expression === undefined ? [] : this.#match(expression);
    const isEnough = matches.length > 0 && !UNSPACED.test(query);
    const found = isEnough ? matches : [...matches, ...(await this.#scan(searchWords(query)))];
    // The newest hit of each thread stays.
    const oldestFirst = found.toSorted((one, other) => one.id - other.id);
    return [...new Map(oldestFirst.map(({ threadId, text }) => [threadId, { threadId, text }])).values()].toReversed();
  }

  /** Call it after everything was deleted. */
  reset(): void {
    this.#exists = false;
    this.#tables.reset();
  }

  #match(expression: string): Hit[] {
    const rows = this.#storage.sql.exec<{ id: number; thread_id: string; text: string }>(
      `SELECT turn.id, thread_id, snippet(turn_text, -1, '', '', '…', ${SHOWN_TOKENS}) AS text
       FROM turn_text JOIN turn ON turn.id = turn_text.rowid
       WHERE turn_text MATCH ? ORDER BY turn_text.rowid DESC LIMIT ${MAX_FOUND}`,
      expression,
    );
    return [...rows].map(({ id, thread_id: threadId, text }) => ({ id, threadId, text: oneLine(text) }));
  }

  /** Searches all text in pieces, and lets other calls in between. At its limits it stops with what was found in the newest turns. */
  async #scan(words: readonly string[]): Promise<Hit[]> {
    const [first] = words;
    if (first === undefined) return [];
    const untilMs = Date.now() + this.#limits.ms;
    const found: Hit[] = [];
    let length = 0;
    for (let scanned = 0, before = Number.MAX_SAFE_INTEGER; scanned < this.#limits.turns; scanned += TURNS_A_PIECE) {
      const rows = this.#storage.sql.exec<TextRow & { id: number }>(
        `SELECT turn.id, thread_id, prompt, answer FROM turn JOIN turn_text ON turn_text.rowid = turn.id
         WHERE turn.id < ? ORDER BY turn.id DESC LIMIT ${TURNS_A_PIECE}`,
        before,
      );
      const piece = [...rows];
      for (const { id, thread_id: threadId, prompt, answer } of piece) {
        const text = `${prompt}\n${answer}`;
        length += text.length;
        if (length > this.#limits.length) return found;
        const folded = foldText(text);
        if (words.every((word) => folded.includes(word))) found.push({ id, threadId, text: textAround(text, first) });
      }
      const last = piece.at(-1);
      if (last === undefined || found.length >= MAX_FOUND) break;
      before = last.id;
      await scheduler.wait(0);
      if (Date.now() > untilMs) break;
      // Everything may have been deleted meanwhile.
      if (!this.#isThere()) return [];
    }
    return found;
  }

  #isThere(): boolean {
    this.#exists ||= migrateObject(this.#storage, this.#tables, "turn", SEARCH_MIGRATIONS);
    return this.#exists;
  }

  #change<Result>(change: (sql: SqlStorage) => Result): Result {
    const isThere = this.#isThere();
    const result = this.#tables.write(() => {
      if (!isThere) this.#tables.makeFirst(SEARCH_TABLES);
      return change(this.#storage.sql);
    });
    this.#exists = true;
    return result;
  }
}

/** Most words of a search that count. */
const MAX_WORDS = 12;

/** What a person looks for: all words, each by its beginning; undefined when there is no word in it. */
const matchExpression = (query: string): string | undefined => {
  // Letters, digits and marks, as the index splits a text; quotation marks are left out.
  const words = query.normalize("NFC").match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
  if (words.length === 0) return undefined;
  return words
    .slice(0, MAX_WORDS)
    .map((word) => `"${word}"*`)
    .join(" ");
};
