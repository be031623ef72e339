/** Files with history: of several days the latest counts, and what was also sold is left to the person. */
import type { ImportOutcome } from "./import-row.ts";
import { stockKey } from "./stock-key.ts";

/** `day` as `2026-11-20` or empty; `transaction` as the file names it or empty. */
export type DatedOutcome = { readonly outcome: ImportOutcome; readonly day: string; readonly transaction: string };

/**
 * The same outcomes in the same order. Rows older than the latest of their stock are skipped. Every row of a stock that
 * was sold is a problem: counting sales against purchases would be a guess at what each share had cost.
 */
export const dropHistory = (rows: readonly DatedOutcome[]): readonly ImportOutcome[] => {
  const latest = new Map<string, string>();
  const sold = new Set<string>();
  for (const { outcome, day, transaction } of rows) {
    if (outcome.kind !== "draft") continue;
    const key = stockKey(outcome.draft);
    if (day > (latest.get(key) ?? "")) latest.set(key, day);
    if (/^\s*(sell|sold|sale|short|verkauf)/i.test(transaction)) sold.add(key);
  }
  return rows.map(({ outcome, day }) => {
    if (outcome.kind !== "draft") return outcome;
    const key = stockKey(outcome.draft);
    if (sold.has(key)) return soldProblem(outcome.draft.symbol);
    return day < (latest.get(key) ?? "") ? { kind: "skipped", reason: "An older day; the latest counts." } : outcome;
  });
};

const soldProblem = (symbol: string): ImportOutcome => ({
  kind: "problem",
  problem: `${symbol} has sales in this file. Add it by hand with the quantity and average cost you have now.`,
});
