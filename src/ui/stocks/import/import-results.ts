/** What the server said of an import's rows. */
import type { AddResult } from "../../../contract/add-stock.ts";
import type { Stock } from "../../../contract/stock.ts";
import type { ImportBatch } from "./import-batches.ts";

/** `unsent`: its batch was refused or never answered, so nothing is known of it; `error` says why. */
export type RowResult = {
  readonly outcome: AddResult["outcome"] | "unsent";
  readonly stock?: Stock;
  readonly error?: string;
};

/** Results by the place of their row in the import's rows. Rows that are no drafts have none. */
export type ImportResults = ReadonlyMap<number, RowResult>;

/** The results with those of a batch. Items the answer does not speak of are `unsent`, so that none goes missing. */
export const takeAnswer = (results: ImportResults, batch: ImportBatch, answer: readonly AddResult[]): ImportResults => {
  const taken = new Map(results);
  const byIndex = new Map(answer.map((result) => [result.index, result]));
  for (const [index, rowIndex] of batch.rowIndexes.entries()) {
    const found = byIndex.get(index);
    taken.set(
      rowIndex,
      found === undefined ? { outcome: "unsent", error: "The answer has nothing on it." } : rowResult(found),
    );
  }
  return taken;
};

/** The results with a batch that failed as a whole. */
export const takeFailure = (results: ImportResults, batch: ImportBatch, error: string): ImportResults => {
  const taken = new Map(results);
  for (const rowIndex of batch.rowIndexes) taken.set(rowIndex, { outcome: "unsent", error });
  return taken;
};

/** How many rows have each outcome; 0 for those that none has. */
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
