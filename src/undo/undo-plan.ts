/** What a person agreed to undo, in the run's own object: stored before anything happens, and marked item by item. */
import type { ObjectTables, Tables } from "../objects/object-tables.ts";

/** For a run whose changes a person has undone. */
const UNDO_TABLES: Tables = {
  names: ["undo_item"],
  schema: `
CREATE TABLE IF NOT EXISTS undo_item (
  item TEXT PRIMARY KEY,
  is_done INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
`,
};

/** Names an item of a plan: a stock by its id, a file by its path. */
export const itemOf = (kind: "stock" | "file", name: string): string => `${kind}:${name}`;

/** The `undo_item` table of one run. */
export class UndoPlan {
  readonly #tables: ObjectTables;

  constructor(tables: ObjectTables) {
    this.#tables = tables;
  }

  /** Adds items that are not in it yet, all or none. */
  add(items: readonly string[]): void {
    if (items.length === 0) return;
    this.#tables.write(() => {
      this.#tables.make(UNDO_TABLES);
      for (const item of items) this.#tables.sql.exec("INSERT OR IGNORE INTO undo_item (item) VALUES (?)", item);
    });
  }

  /** The items, and whether each is done. */
  items(): ReadonlyMap<string, boolean> {
    if (!this.#tables.has("undo_item")) return new Map();
    const rows = this.#tables.sql.exec<{ item: string; is_done: number }>("SELECT item, is_done FROM undo_item");
    return new Map([...rows].map((row) => [row.item, row.is_done === 1]));
  }

  markDone(item: string): void {
    this.#tables.sql.exec("UPDATE undo_item SET is_done = 1 WHERE item = ?", item);
  }
}
