/** Joins several rows of one stock: combined as purchases, or marked as duplicates. */
import Big from "big.js";
import { withoutSuffix } from "../../../../contract/prices/symbol-suffixes.ts";
import { canonicalDecimal } from "../../../../contract/stocks/canonical-decimal.ts";
import type { StockDraft } from "../../../../contract/stocks/stock-values.ts";
import { type DraftRow, type ImportOutcome, type ImportRow, NO_COST } from "./import-row.ts";
import { CLOSED } from "./positions.ts";

/** Our own constructor, because precision is set for a whole constructor. */
const Exact = Big();

/** An amount has at most 10 decimals (api.md §5). */
Exact.DP = 10;

Exact.RM = Exact.roundHalfUp;

/** The most digits of an amount before its decimal point (api.md §5). */
export const MAX_INTEGER_DIGITS = 12;

/** What the preview says of a stock whose average cost is sent as null. */
export const NO_PRICE = "No average cost, because a purchase has no price.";

type MergedLots = { readonly draft: StockDraft; readonly notes: readonly string[] } | { readonly problem: string };

/**
 * Adds the quantities and averages the cost. Only the average is rounded, to 10 decimals, and there is none when a
 * purchase has no price. Other fields come from the first row that has a value; different notes are joined.
 */
export const mergeLots = (lots: readonly StockDraft[]): MergedLots => {
  const held = lots.filter(({ quantity }) => (quantity ?? "0") !== "0");
  const currencies = new Set(held.map(({ currency }) => currency ?? null));
  // A line without shares may have prices in another currency.
  const said = new Set(lots.flatMap(({ currency }) => currency ?? []));
  if (currencies.size > 1 || (held.length > 0 && said.size > 1))
    return { problem: "The purchases are in several currencies. Add the stock by hand." };
  const total = held.reduce((sum, { quantity }) => sum.plus(quantity ?? "0"), new Exact(0));
  const fields = mergeFields(lots);
  if (held.length === 0) return { draft: fields, notes: [] };
  const quantity = canonicalDecimal(total.toFixed());
  const [integer = ""] = quantity.split(".");
  if (integer.length > MAX_INTEGER_DIGITS) {
    return { problem: "The purchases add up to more than 12 digits. Add the stock by hand." };
  }
  const { avgCost: _, ...rest } = fields;
  if (held.some(({ avgCost }) => avgCost == null)) {
    // Null, so that an update does not keep the list's average beside the new quantity. Lines combined before may have it already.
    const hasSome = held.some(({ avgCost }) => avgCost !== undefined);
    return hasSome
      ? { draft: { ...rest, quantity, avgCost: null }, notes: [NO_PRICE] }
      : { draft: { ...rest, quantity }, notes: [] };
  }
  const cost = held.reduce(
    (sum, lot) => sum.plus(new Exact(lot.quantity ?? "0").times(lot.avgCost ?? "0")),
    new Exact(0),
  );
  const average = cost.div(total);
  const isExact = average.times(total).eq(cost);
  return {
    draft: { ...rest, quantity, avgCost: canonicalDecimal(average.toFixed()) },
    notes: isExact ? [] : ["The average cost is rounded to 10 decimals."],
  };
};

/** Each field from the first lot that has it. */
export const mergeFields = (lots: readonly StockDraft[]): StockDraft => {
  const [first, ...others] = lots;
  if (first === undefined) throw new RangeError("There is nothing to merge.");
  const notes = [...new Set(lots.flatMap((lot) => lot.notes ?? []))].join("\n");
  let merged = first;
  for (const lot of others) merged = { ...lot, ...merged };
  return notes === "" ? merged : { ...merged, notes };
};

/** Symbol and exchange, which are unique in a list (api.md §5). Neither contains a colon. */
export const listingKey = ({ symbol, exchange }: Pick<StockDraft, "symbol" | "exchange">): string =>
  `${symbol}:${exchange ?? ""}`;

/** The same key for `SAP.DE` and `SAP` if both are on the market that the ending names: they are one stock (decision 0130). */
export const stockKey = ({ symbol, exchange }: Pick<StockDraft, "symbol" | "exchange">): string =>
  listingKey({ symbol: exchange == null ? symbol : withoutSuffix(symbol, exchange), exchange });

/** Returns the same rows in the same order, with at most one draft for each key. */
export const joinStocks = (
  rows: readonly ImportRow[],
  lots: "merge" | "separate",
  keyOf = stockKey,
): readonly ImportRow[] => {
  const groups = Map.groupBy(
    rows.filter((row) => row.kind === "draft"),
    ({ draft }) => keyOf(draft),
  );
  const outcomes = new Map<ImportRow, ImportRow>();
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    for (const [row, outcome] of lots === "merge" ? merge(group) : separate(group)) outcomes.set(row, outcome);
  }
  return rows.map((row) => outcomes.get(row) ?? row);
};

/** The same rows, but without drafts of a stock that has an unread line: its other lines would add up to what looks like the whole. */
export const withoutParts = (
  rows: readonly ImportRow[],
  read: readonly { readonly symbol: string; readonly outcome: ImportOutcome }[],
): readonly ImportRow[] => {
  const unread = new Map(
    read.flatMap(({ symbol, outcome }, at) =>
      outcome.kind === "problem" && outcome !== CLOSED ? [[symbol, rows[at]?.line]] : [],
    ),
  );
  return rows.map((row, at) => {
    const symbol = read[at]?.symbol ?? "";
    const line = unread.get(symbol);
    if (row.kind !== "draft" || line === undefined) return row;
    const problem = `${symbol} has several lines here, and line ${line} cannot be read. Correct that line first.`;
    return { ...placeOf(row), kind: "problem", problem };
  });
};

type Outcomes = readonly (readonly [ImportRow, ImportRow])[];

const separate = (group: readonly DraftRow[]): Outcomes =>
  group.slice(1).map((row) => [row, { ...placeOf(row), kind: "duplicate", ofLine: group[0]?.line ?? row.line }]);

const merge = (group: readonly DraftRow[]): Outcomes => {
  const merged = mergeLots(group.map(({ draft }) => draft));
  if ("problem" in merged)
    return group.map((row) => [row, { ...placeOf(row), kind: "problem", problem: merged.problem }]);
  const [first, ...others] = group;
  if (first === undefined) return [];
  // Some rows may have been combined before, under another name of the stock.
  const all = group.flatMap((row) => row.notes);
  const counts = all.flatMap((note) => COMBINED.exec(note)?.[1] ?? []);
  const lines = counts.reduce((sum, count) => sum + Number(count) - 1, group.length);
  const own = [...new Set(all)].filter((note) => !COMBINED.test(note));
  const said = merged.notes.includes(NO_PRICE) ? own.filter((note) => !note.startsWith(NO_COST)) : own;
  const notes = [...said, `${lines} lines combined.`, ...merged.notes];
  return [
    [first, { ...first, draft: merged.draft, notes }],
    ...others.map((row) => [row, { ...placeOf(row), kind: "merged", intoLine: first.line }] as const),
  ];
};

const COMBINED = /^(\d+) lines combined\.$/;

const placeOf = ({ line, lastLine, source }: ImportRow): Pick<ImportRow, "line" | "lastLine" | "source"> => ({
  line,
  lastLine,
  source,
});
