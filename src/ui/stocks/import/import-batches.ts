/** The drafts of an import as inputs of `add-stock`, and where each item came from. */
import type { OnConflict } from "../../../contract/add-stock.ts";
import type { StockDraft } from "../../../contract/stock-draft.ts";
import { MAX_BATCH_BYTES, MAX_BATCH_ITEMS } from "./import-limits.ts";
import type { ImportRow } from "./import-row.ts";

/** What `add-stock` takes. Only a real run has a key: a dry run writes nothing that could be done twice. */
type BatchInput = {
  readonly items: StockDraft[];
  readonly onConflict: OnConflict;
  readonly dryRun: boolean;
  readonly idempotencyKey?: string;
};

/** `rowIndexes[i]` is the place, in the import's rows, of `input.items[i]`. */
export type ImportBatch = { readonly rowIndexes: readonly number[]; readonly input: BatchInput };

export type BatchOptions = {
  readonly onConflict: OnConflict;
  readonly dryRun: boolean;
  /**
   * A UUID made when the person confirms, kept for tries again. Rows that changed since need a new one: the server
   * refuses a key that it knows with another input (CONTRACT §5).
   */
  readonly importId: string;
};

/** Batches of at most 100 items and 900 kB, in the order of the rows; send them one after the other. */
export const planBatches = (
  rows: readonly ImportRow[],
  { onConflict, dryRun, importId }: BatchOptions,
): readonly ImportBatch[] =>
  groupRows(rows).map((group, place) => ({
    rowIndexes: group.map(({ rowIndex }) => rowIndex),
    input: {
      items: group.map(({ draft }) => draft),
      onConflict,
      dryRun,
      ...(dryRun ? {} : { idempotencyKey: `import-${importId}-${onConflict}-${place + 1}` }),
    },
  }));

type Item = { readonly rowIndex: number; readonly draft: StockDraft };

const groupRows = (rows: readonly ImportRow[]): readonly (readonly Item[])[] => {
  const encoder = new TextEncoder();
  const groups: Item[][] = [];
  let bytes = 0;
  for (const [rowIndex, row] of rows.entries()) {
    if (row.kind !== "draft") continue;
    const size = encoder.encode(JSON.stringify(row.draft)).length + 1;
    const last = groups.at(-1);
    if (last === undefined || last.length === MAX_BATCH_ITEMS || bytes + size > MAX_BATCH_BYTES) {
      groups.push([{ rowIndex, draft: row.draft }]);
      bytes = size;
    } else {
      last.push({ rowIndex, draft: row.draft });
      bytes += size;
    }
  }
  return groups;
};
