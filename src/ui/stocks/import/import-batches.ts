/** Splits an import into `add-stock` calls and sends them. */
import type { ActionInput, ActionOutput } from "../../../contract/action.ts";
import type { OnConflict } from "../../../contract/stocks/add-stock.ts";
import type { StockDraft } from "../../../contract/stocks/stock-values.ts";
import { ApiError, isTransient } from "../../api/api-error.ts";
import { errorText } from "../store/stock-failures.ts";
import { type ImportBatch, type ImportResults, takeAnswer, takeFailure } from "./import-results.ts";
import { MAX_BATCH_BYTES, MAX_BATCH_ITEMS } from "./read/import-choices.ts";
import type { ImportRow } from "./read/import-row.ts";

type BatchOptions = {
  readonly onConflict: OnConflict;
  readonly dryRun: boolean;
  /**
   * A UUID made when the person confirms, and kept for retries. Rows that have changed need a new one, because the
   * server refuses a known key with another input (api.md §5).
   */
  readonly importId: string;
};

/** Batches of at most 100 items and 900 kB, in the order of the rows. They have to be sent one after another. */
export const planBatches = (
  rows: readonly ImportRow[],
  { onConflict, dryRun, importId }: BatchOptions,
): readonly ImportBatch[] =>
  groupRows(rows).map((group, index) => ({
    rowIndexes: group.map(({ rowIndex }) => rowIndex),
    input: {
      items: group.map(({ draft }) => draft),
      onConflict,
      dryRun,
      ...(dryRun ? {} : { idempotencyKey: `import-${importId}-${onConflict}-${index + 1}` }),
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

/** `next` is the index of the first batch without an answer. */
export type BatchProgress = { readonly next: number; readonly results: ImportResults };

/**
 * `failed`: a batch failed, but can be retried. The results of earlier batches are kept. `isUnsure`: it may have been added all the same,
 * because the server did not answer, or answered that it failed itself (5xx).
 */
type SendEnd =
  | { readonly kind: "done" | "stopped" }
  | { readonly kind: "failed"; readonly problem: string; readonly isUnsure: boolean };

type SendWorld = {
  readonly send: (input: ActionInput<"add-stock">) => Promise<ActionOutput<"add-stock">>;
  /** Called after each batch, including the one that is in flight when `isStopped` turns true. */
  readonly onProgress: (progress: BatchProgress) => void;
  readonly isStopped: () => boolean;
};

/**
 * Continues from `progress`. A batch that is refused for good is recorded at its rows and skipped. Never rejects: if `onProgress` throws,
 * the result is `failed` as well.
 */
export const sendBatches = async (
  batches: readonly ImportBatch[],
  progress: BatchProgress,
  { send, onProgress, isStopped }: SendWorld,
): Promise<SendEnd> => {
  let { results } = progress;
  for (const [index, batch] of batches.entries()) {
    if (index < progress.next) continue;
    if (isStopped()) return { kind: "stopped" };
    try {
      const answer = await send(batch.input);
      results = takeAnswer(results, batch, "results" in answer ? answer.results : []);
    } catch (error) {
      if (mayPass(error)) return { kind: "failed", problem: errorText(error), isUnsure: !hasAddedNothing(error) };
      results = takeFailure(results, batch, errorText(error));
    }
    try {
      onProgress({ next: index + 1, results });
    } catch (error) {
      return { kind: "failed", problem: errorText(error), isUnsure: false };
    }
  }
  return { kind: "done" };
};

/** Whether nothing was added, because somebody was signed out or sent too much. */
const hasAddedNothing = (error: unknown): boolean => error instanceof ApiError && [401, 429].includes(error.status);

/** Somebody who was signed out can sign in in another tab and continue. */
const mayPass = (error: unknown): boolean => isTransient(error) || hasAddedNothing(error);
