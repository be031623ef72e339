/** What the demo model answers to "what changed": a list of stocks, then the history of each, then the changes in words. */
import { DAY_MS } from "../../contract/day.ts";
import { instantOf } from "../../contract/schedules/zone-time.ts";
import { GetStockOutput, type StockEventView } from "../../contract/stocks/get-stock.ts";
import { ListStocksOutput } from "../../contract/stocks/list-stocks.ts";
import { cardLabel, type StockFieldKey } from "../../contract/stocks/stock-fields.ts";
import { type DoneCall, parseOutput } from "./demo-answer.ts";

/** How many stocks' histories are read: those of the stocks that were changed last. */
const MAX_STOCKS = 5;

/** How many changes are named; the rest are counted. */
const MAX_CHANGES = 10;

type Call = { readonly name: string; readonly input: Readonly<Record<string, unknown>> };

const Listed = ListStocksOutput.pick({ items: true });

/** How a turn's context names the day (`harness/turn-context`). */
const TODAY = /^Today is (?<day>\d{4}-\d\d-\d\d)(?:.* time zone, (?<zone>[\w/+-]+)\.)?/m;

/** When the day that a context names began for the person. */
export const todayOf = (context: string): number | undefined => {
  const line = TODAY.exec(context)?.groups;
  return line?.day === undefined ? undefined : instantOf(line.zone ?? "UTC", Date.parse(line.day));
};

/** The next call, or the answer once everything is read. `todayMs` is when the turn's own day began, where that is known. */
export const nextOfChanges = (
  done: readonly DoneCall[],
  days: number | undefined,
  todayMs: number | undefined,
): { readonly call: Call } | { readonly say: string } => {
  const [list, ...histories] = done;
  if (list === undefined) {
    return { call: { name: "list-stocks", input: { sort: "updatedAt", order: "desc", limit: MAX_STOCKS } } };
  }
  const listed = list.isError ? undefined : parseOutput(Listed, list.output);
  if (listed === undefined) return { say: `That didn't work: ${list.output}` };
  const next = listed.items[histories.length];
  if (next !== undefined) return { call: { name: "get-stock", input: { id: next.id } } };
  return { say: sayChanges(histories, days, todayMs) };
};

const sayChanges = (histories: readonly DoneCall[], days: number | undefined, todayMs: number | undefined): string => {
  const since = days === undefined || todayMs === undefined ? 0 : todayMs - (days - 1) * DAY_MS;
  const changes = histories
    .flatMap(({ output }) => {
      const found = parseOutput(GetStockOutput, output);
      return found === undefined ? [] : found.events.map((event) => ({ event, symbol: found.stock.symbol }));
    })
    .filter(({ event }) => Date.parse(event.at) >= since)
    .sort((a, b) => Date.parse(b.event.at) - Date.parse(a.event.at));
  const when = days === undefined ? "so far" : days === 1 ? "today" : "this week";
  if (changes.length === 0) return `Nothing was changed ${when}.`;
  const rest = changes.length - MAX_CHANGES;
  return [
    `Changed ${when}, newest first:`,
    "",
    ...changes.slice(0, MAX_CHANGES).map(({ event, symbol }) => `- ${sayEvent(event, symbol)}`),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
  ].join("\n");
};

const DONE = { add: "added", delete: "deleted", restore: "restored", update: "changed" } as const;

const BY = { screen: "", agent: ", by the agent", import: ", by an import" } as const;

const sayEvent = ({ action, via, before, after, at }: StockEventView, symbol: string): string => {
  const fields = Object.keys(after).filter((field) => field in LABELS);
  const what =
    action === "update" && fields.length > 0
      ? fields.map((field) => `${LABELS[field]} ${sayValue(before?.[field])} → ${sayValue(after[field])}`).join(", ")
      : DONE[action];
  return `**${symbol}** ${what} (${at.slice(0, 10)}${BY[via]})`;
};

const FIELDS: readonly StockFieldKey[] = [
  ...["name", "quantity", "avgCost", "currency", "watched", "targetLow", "targetHigh", "lastPrice"],
  ...["sector", "tags", "notes", "exchange", "isin", "assetType", "symbol"],
] as const satisfies readonly StockFieldKey[];

/** What a change is called in a sentence. The time and the source of a price go without saying. */
const LABELS: Readonly<Record<string, string>> = Object.fromEntries(
  FIELDS.map((field) => [field, field === "isin" ? "ISIN" : cardLabel(field).toLowerCase()]),
);

/** Longest value that is quoted, in UTF-16 units. */
const MAX_VALUE_LENGTH = 40;

const sayValue = (value: unknown): string => {
  if (value === null || value === undefined || value === "") return "none";
  if (value === true || value === false) return value ? "yes" : "no";
  const text = Array.isArray(value) ? value.join(", ") || "none" : String(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
};
