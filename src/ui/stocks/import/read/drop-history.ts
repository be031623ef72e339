/** Files with history list, for each of several days, what was held then: a stock counts as it is on the file's latest day. */
import type { ImportOutcome } from "./import-row.ts";
import { listingKey, stockKey } from "./join-stocks.ts";

/** `day` is a date such as `2026-11-20`. `symbol` is what the line names, which may be cash. Both can be empty. */
type DatedOutcome = { readonly outcome: ImportOutcome; readonly symbol: string; readonly day: string };

const keyOf = ({ outcome, symbol }: DatedOutcome): string =>
  outcome.kind === "draft" ? stockKey(outcome.draft) : listingKey({ symbol });

/**
 * The outcomes in the same order. Rows older than the latest one of their stock are skipped, and so is that one if it is older than the
 * file's latest day; but if no symbol has several days, the days may be those of purchases, and all rows stay.
 */
export const dropHistory = (rows: readonly DatedOutcome[]): readonly ImportOutcome[] => {
  const dated = rows.filter(({ symbol, day }) => symbol !== "" && day !== "");
  const latest = new Map<string, string>();
  for (const row of dated) {
    const key = keyOf(row);
    if (row.day > (latest.get(key) ?? "")) latest.set(key, row.day);
  }
  const hasHistory = dated.some((row) => row.day !== latest.get(keyOf(row)));
  const last = hasHistory ? [...latest.values()].reduce((one, other) => (one > other ? one : other)) : "";
  return rows.map((row): ImportOutcome => {
    const { outcome, day } = row;
    if (outcome.kind !== "draft") return outcome;
    if (day < (latest.get(keyOf(row)) ?? "")) return OLDER;
    return day !== "" && day < last ? { kind: "skipped", reason: notHeld(last) } : outcome;
  });
};

const OLDER: ImportOutcome = { kind: "skipped", reason: "An older date; the latest one is used." };

const notHeld = (last: string): string =>
  `Not among the holdings of ${last}, the latest day here: probably sold. If you still hold it, import this line alone, below its header.`;
