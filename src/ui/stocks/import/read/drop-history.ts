/** Files with history list a stock once for each day. */
import type { ImportOutcome } from "./import-row.ts";
import { stockKey } from "./join-stocks.ts";

/** `day` is a date such as `2026-11-20`. It can be empty. */
type DatedOutcome = { readonly outcome: ImportOutcome; readonly day: string };

/** The outcomes in the same order; rows older than the latest one of their stock are skipped. */
export const dropHistory = (rows: readonly DatedOutcome[]): readonly ImportOutcome[] => {
  const latest = new Map<string, string>();
  for (const { outcome, day } of rows) {
    if (outcome.kind !== "draft") continue;
    const key = stockKey(outcome.draft);
    if (day > (latest.get(key) ?? "")) latest.set(key, day);
  }
  return rows.map(({ outcome, day }) =>
    outcome.kind === "draft" && day < (latest.get(stockKey(outcome.draft)) ?? "")
      ? { kind: "skipped", reason: "An older date; the latest one is used." }
      : outcome,
  );
};
