/**
 * Files as they were before a run changed them, in the run's own object: stored before the change, gone with the run, its thread
 * and its account, and never on a host that may be away (docs/decisions/0139).
 */
import type { UndoEffect, UndoReason } from "../../contract/undo/undo.ts";
import type { FileBefore } from "../../harness/tools/tool.ts";
import type { ObjectTables, Tables } from "../../objects/object-tables.ts";
import { ABSENT } from "../../workspace/file-state.ts";

/** Largest file that is kept, in bytes: 1 MiB. A row of an object's SQLite holds 2 MB. */
const MAX_KEPT_BYTES = 1_024 * 1_024;

/** Most bytes that one run keeps: 20 MiB. What it changes beyond that cannot be undone. */
const MAX_RUN_BYTES = 20 * MAX_KEPT_BYTES;

/** For a run that changes a file. */
const IMAGE_TABLES: Tables = {
  names: ["before_image"],
  schema: `
CREATE TABLE IF NOT EXISTS before_image (
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  tool_call_id TEXT NOT NULL UNIQUE,
  path TEXT NOT NULL,
  before TEXT,
  after TEXT,
  content BLOB,
  missing TEXT
) STRICT;
`,
};

/** All that a run did to one file: from the state before its first change to that after its last. */
export type ChangedFile = {
  readonly path: string;
  readonly effect: UndoEffect;
  readonly before: string;
  readonly after: string;
  /** It was changed by something else between the run's changes. */
  readonly isBroken: boolean;
  /** Why its former content is not there, although it had one. */
  readonly missing: UndoReason | undefined;
};

type Row = { path: string; before: string | null; after: string | null; missing: UndoReason | null };

/** The `before_image` table of one run. Writes are in the caller's transaction. */
export class BeforeImages {
  readonly #tables: ObjectTables;

  constructor(tables: ObjectTables) {
    this.#tables = tables;
  }

  /** Keeps a file before a call changes it. Only the first change of a file needs its content. */
  keep(toolCallId: string, { path, before, after, bytes }: FileBefore): void {
    this.#tables.make(IMAGE_TABLES);
    this.drop(toolCallId);
    const isFirst = this.#one("SELECT count(*) AS n FROM before_image WHERE path = ?", path) === 0;
    const missing = isFirst && before !== ABSENT ? this.#whyNot(bytes) : null;
    const content = isFirst && missing === null && bytes !== undefined ? new Uint8Array(bytes) : null;
    this.#insert(toolCallId, path, [before, after, content, missing]);
  }

  /** Records a change of which nothing was kept, such as one that the harness made without asking us. */
  note(toolCallId: string, path: string): void {
    this.#tables.make(IMAGE_TABLES);
    if (this.#one("SELECT count(*) AS n FROM before_image WHERE tool_call_id = ?", toolCallId) > 0) return;
    this.#insert(toolCallId, path, [null, null, null, "not_kept"]);
  }

  /** Forgets a call that changed nothing. */
  drop(toolCallId: string): void {
    if (!this.#tables.has("before_image")) return;
    this.#tables.sql.exec("DELETE FROM before_image WHERE tool_call_id = ?", toolCallId);
  }

  /** The files that the run changed, the last one first. */
  files(): ChangedFile[] {
    if (!this.#tables.has("before_image")) return [];
    const rows = this.#tables.sql.exec<Row>("SELECT path, before, after, missing FROM before_image ORDER BY place");
    const changes = [...Map.groupBy([...rows].toReversed(), ({ path }) => path)];
    return changes.map(([path, newestFirst]) => changedFile(path, newestFirst.toReversed()));
  }

  /** What a file held before the run; undefined when that was not kept. */
  content(path: string): Uint8Array | undefined {
    const [row] = this.#tables.sql.exec<{ content: ArrayBuffer | null }>(
      "SELECT content FROM before_image WHERE path = ? ORDER BY place LIMIT 1",
      path,
    );
    return row?.content === null || row === undefined ? undefined : new Uint8Array(row.content);
  }

  #whyNot(bytes: Uint8Array | undefined): UndoReason | null {
    if (bytes === undefined || bytes.byteLength > MAX_KEPT_BYTES) return "too_large";
    const kept = this.#one("SELECT coalesce(sum(length(content)), 0) AS n FROM before_image");
    return kept + bytes.byteLength > MAX_RUN_BYTES ? "not_kept" : null;
  }

  #insert(toolCallId: string, path: string, rest: readonly (string | Uint8Array | null)[]): void {
    this.#tables.sql.exec(
      "INSERT INTO before_image (tool_call_id, path, before, after, content, missing) VALUES (?, ?, ?, ?, ?, ?)",
      toolCallId,
      path,
      ...rest,
    );
  }

  #one(query: string, ...values: readonly string[]): number {
    return this.#tables.sql.exec<{ n: number }>(query, ...values).one().n;
  }
}

const changedFile = (path: string, changes: readonly Row[]): ChangedFile => {
  const [before, after] = [changes[0]?.before ?? "", changes.at(-1)?.after ?? ""];
  return {
    ...{ path, before, after },
    effect: before === ABSENT ? "remove" : after === ABSENT ? "bring_back" : "change_back",
    isBroken: changes.some((change, nth) => nth > 0 && change.before !== changes[nth - 1]?.after),
    missing: changes.find(({ missing }) => missing !== null)?.missing ?? undefined,
  };
};
