/** What a person agreed to undo, in the run's own object: stored before anything happens, and marked item by item. */
import type { UndoEffect } from "../contract/undo/undo.ts";
import type { ObjectTables, Tables } from "../objects/object-tables.ts";

/** For a run whose changes a person has undone. */
const UNDO_TABLES: Tables = {
  names: ["planned_undo"],
  schema: `
CREATE TABLE IF NOT EXISTS planned_undo (
  item TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  label TEXT NOT NULL,
  effect TEXT NOT NULL,
  is_done INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
`,
};

/** An item as people know it: `label` is a stock's symbol, or a path. */
type PlannedUndo = { readonly kind: "stock" | "file"; readonly label: string; readonly effect: UndoEffect };

/** Names an item of a plan: a stock by its id, a file by its path. */
export const itemOf = (kind: PlannedUndo["kind"], name: string): string => `${kind}:${name}`;

/** The `planned_undo` table of one run. */
export class UndoPlan {
  readonly #tables: ObjectTables;

  constructor(tables: ObjectTables) {
    this.#tables = tables;
  }

  /** Adds items that are not in it yet, all or none. */
  add(items: readonly (PlannedUndo & { readonly item: string })[]): void {
    if (items.length === 0) return;
    this.#tables.write(() => {
      this.#tables.make(UNDO_TABLES);
      for (const { item, kind, label, effect } of items) {
        const row = [item, kind, label, effect];
        this.#tables.sql.exec(
          "INSERT OR IGNORE INTO planned_undo (item, kind, label, effect) VALUES (?, ?, ?, ?)",
          ...row,
        );
      }
    });
  }

  /** The items, and whether each is done. */
  items(): ReadonlyMap<string, boolean> {
    return new Map(this.#rows().map((row) => [row.item, row.is_done === 1]));
  }

  /** What was agreed to. `isDone` is false even for what a request that was cut off may have done. */
  list(): (PlannedUndo & { readonly isDone: boolean })[] {
    return this.#rows().map(({ item: _, is_done, ...undo }) => ({ ...undo, isDone: is_done === 1 }));
  }

  markDone(item: string): void {
    if (this.#tables.has("planned_undo")) {
      this.#tables.sql.exec("UPDATE planned_undo SET is_done = 1 WHERE item = ? AND is_done = 0", item);
    }
  }

  #rows(): Row[] {
    if (!this.#tables.has("planned_undo")) return [];
    return [
      ...this.#tables.sql.exec<Row>("SELECT item, kind, label, effect, is_done FROM planned_undo ORDER BY kind, label"),
    ];
  }
}

type Row = PlannedUndo & { item: string; is_done: number };
