/** The server's results for the rows of an import. */
import type { AddResult, OnConflict } from "../../../contract/stocks/add-stock.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import type { StockDraft } from "../../../contract/stocks/stock-values.ts";

/** The input of `add-stock`. A dry run needs no key, because it writes nothing. */
type BatchInput = {
  readonly items: StockDraft[];
  readonly onConflict: OnConflict;
  readonly dryRun: boolean;
  readonly idempotencyKey?: string;
};

/** `rowIndexes[i]` is the index, in the import's rows, of `input.items[i]`. */
export type ImportBatch = { readonly rowIndexes: readonly number[]; readonly input: BatchInput };

/** `unsent`: the batch was refused, never sent or never answered, or its answer leaves the row out. `error` says which. */
export type RowResult = {
  readonly outcome: AddResult["outcome"] | "unsent";
  readonly stock?: Stock;
  readonly error?: string;
};

/** Results by row index. Only drafts have one. */
export type ImportResults = ReadonlyMap<number, RowResult>;

/** Adds the results of a batch. Items that are missing in the answer become `unsent`, so that none is lost. */
export const takeAnswer = (results: ImportResults, batch: ImportBatch, answer: readonly AddResult[]): ImportResults => {
  const taken = new Map(results);
  const byIndex = new Map(answer.map((result) => [result.index, result]));
  for (const [index, rowIndex] of batch.rowIndexes.entries()) {
    const found = byIndex.get(index);
    taken.set(
      rowIndex,
      found === undefined
        ? { outcome: "unsent", error: "The server did not say what happened to it." }
        : rowResult(found),
    );
  }
  return taken;
};

/** Adds a batch that failed as a whole. */
export const takeFailure = (results: ImportResults, batch: ImportBatch, error: string): ImportResults => {
  const taken = new Map(results);
  for (const rowIndex of batch.rowIndexes) taken.set(rowIndex, { outcome: "unsent", error });
  return taken;
};

/** The number of rows with each outcome. */
export const countOutcomes = (results: ImportResults): Readonly<Record<RowResult["outcome"], number>> => {
  const counts = { created: 0, restored: 0, updated: 0, skipped: 0, conflict: 0, invalid: 0, unsent: 0 };
  for (const { outcome } of results.values()) counts[outcome] += 1;
  return counts;
};

const rowResult = ({ outcome, stock, error }: AddResult): RowResult => ({
  outcome,
  ...(stock === undefined ? {} : { stock }),
  ...(error === undefined ? {} : { error }),
});
