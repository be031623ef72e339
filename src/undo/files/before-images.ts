/**
 * What a run did to files: a row for each change, in the run's own object, stored before the change (decision 0139). What the
 * files held before is in their owner's object (`workspace/durable/keeping-object`).
 */
import { log } from "../../contract/log.ts";
import type { UndoEffect, UndoReason } from "../../contract/undo/undo.ts";
import type { FileBefore } from "../../harness/tools/tool.ts";
import type { ObjectTables, Tables } from "../../objects/object-tables.ts";
import type { KeptFiles } from "../../workspace/durable/durable-workspace.ts";
import { ABSENT } from "../../workspace/file-state.ts";
import { WorkspaceError } from "../../workspace/workspace.ts";

/** For a run that changes a file. */
const IMAGE_TABLES: Tables = {
  names: ["file_change"],
  schema: `
CREATE TABLE IF NOT EXISTS file_change (
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  tool_call_id TEXT NOT NULL UNIQUE,
  path TEXT NOT NULL,
  before TEXT,
  after TEXT,
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
  /** Why the file's former content is not there, although there was some. */
  readonly missing: UndoReason | undefined;
};

type Row = { path: string; before: string | null; after: string | null; missing: UndoReason | null };

/** The `file_change` table of one run. Writes are in the caller's transaction. */
export class BeforeImages {
  readonly #tables: ObjectTables;

  constructor(tables: ObjectTables) {
    this.#tables = tables;
  }

  /** Whether a call is the first to change a file, whose content then has to be kept. */
  needsContent(toolCallId: string, { path, before }: FileBefore): boolean {
    if (before === ABSENT) return false;
    if (!this.#tables.has("file_change")) return true;
    const others = "SELECT count(*) AS n FROM file_change WHERE path = ? AND tool_call_id <> ?";
    return this.#one(others, path, toolCallId) === 0;
  }

  /** Records a file before a call changes it. `missing`: why its content was not kept; null when it was, or need not be. */
  keep(toolCallId: string, { path, before, after }: FileBefore, missing: UndoReason | null): void {
    this.#tables.make(IMAGE_TABLES);
    this.drop(toolCallId);
    this.#insert(toolCallId, path, [before, after, missing]);
  }

  /** Records a change of which nothing was kept, such as one that the harness made without asking us. */
  note(toolCallId: string, path: string): void {
    this.#tables.make(IMAGE_TABLES);
    if (this.#one("SELECT count(*) AS n FROM file_change WHERE tool_call_id = ?", toolCallId) > 0) return;
    this.#insert(toolCallId, path, [null, null, "not_kept"]);
  }

  /** Forgets a call that changed nothing. */
  drop(toolCallId: string): void {
    if (!this.#tables.has("file_change")) return;
    this.#tables.sql.exec("DELETE FROM file_change WHERE tool_call_id = ?", toolCallId);
  }

  /** The files that the run changed, the last one first. */
  files(): ChangedFile[] {
    if (!this.#tables.has("file_change")) return [];
    const rows = this.#tables.sql.exec<Row>("SELECT path, before, after, missing FROM file_change ORDER BY place");
    const changes = [...Map.groupBy([...rows].toReversed(), ({ path }) => path)];
    return changes.map(([path, newestFirst]) => changedFile(path, newestFirst.toReversed()));
  }

  #insert(toolCallId: string, path: string, rest: readonly (string | null)[]): void {
    this.#tables.sql.exec(
      "INSERT INTO file_change (tool_call_id, path, before, after, missing) VALUES (?, ?, ?, ?, ?)",
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

/** Largest file that is kept, in bytes: 1 MiB. A row of an object's SQLite holds 2 MB. */
const MAX_KEPT_BYTES = 1_024 * 1_024;

/**
 * Keeps what a file held before a run's first change of it. Returns why it was not kept; null when it was, or need not be. The change
 * happens all the same: it is listed as one that cannot be undone.
 */
export const keepContent = async (
  { images, kept }: { readonly images: BeforeImages; readonly kept: KeptFiles },
  toolCallId: string,
  file: FileBefore,
): Promise<UndoReason | null> => {
  const { path, bytes } = file;
  if (!images.needsContent(toolCallId, file)) return null;
  if (bytes === undefined || bytes.byteLength > MAX_KEPT_BYTES) return "too_large";
  try {
    await kept.keep(path, bytes);
    return null;
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    log.warn("A file was not kept before its change.", { error: error.message });
    return "not_kept";
  }
};
