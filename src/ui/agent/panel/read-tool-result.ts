/** Reads what the screen has to show from a tool's result: the stocks that the agent changed, or where `navigate` wants to go. */
import type { ActionOutput } from "../../../contract/action.ts";
import { parseJson, tryParseJson } from "../../../contract/parse-json.ts";
import type { AddResult } from "../../../contract/stocks/add-stock.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { placeUrl, readPlace, START_PLACE } from "../../navigation/stocks-place.ts";
import type { ChangedStocks } from "../../stocks/store/changed-stocks.ts";

/** The tools that change stocks, and the verb for each. */
const VERBS: Readonly<Record<string, string>> = {
  "add-stock": "added",
  "update-stock": "changed",
  "delete-stock": "deleted",
};

/** More symbols than this are counted, not named. */
const MAX_NAMED = 3;

/** Whether a tool changes stocks. */
export const changesStocks = (tool: string): boolean => VERBS[tool] !== undefined;

/** Returns the change, or undefined when the result was cut for the stream. */
export const readChangedStocks = (output: string): ChangedStocks | undefined => {
  const result = tryParseJson(output);
  // Long results are cut in the middle; the list is loaded again instead.
  if (!isResult(result)) return undefined;
  const { stock, results = [], deleted = [] } = result;
  const written = results.flatMap((one) => (one.outcome === "skipped" ? [] : (one.stock ?? [])));
  return { stocks: stock === undefined ? written : [stock, ...written], deleted };
};

type Results = { readonly results: readonly AddResult[] };

type WriteResult = Partial<ActionOutput<"update-stock"> & ActionOutput<"delete-stock"> & Results>;

/** Complete JSON from one of our own actions always has this shape. */
const isResult = (value: unknown): value is WriteResult => typeof value === "object" && value !== null;

/** One sentence for screen readers. `known` are the stocks before the change. */
export const sayChange = (tool: string, { stocks, deleted }: ChangedStocks, known: readonly Stock[]): string => {
  const gone = known.filter(({ id }) => deleted.some((other) => other === id));
  const symbols = [...stocks, ...gone].map(({ symbol }) => symbol);
  const count = stocks.length + deleted.length;
  const isNamed = symbols.length === count && count <= MAX_NAMED;
  const named = isNamed ? symbols.join(", ") : `${count} ${count === 1 ? "stock" : "stocks"}`;
  return `The agent ${VERBS[tool] ?? "changed"} ${named}.`;
};

/** Parts of the tool's result, and their names in the address. */
const PARTS = { tab: "tab", q: "q", stockId: "id", dialog: "dialog" } as const;

/**
 * Where `navigate` wants the screen to go: an address of this app, or undefined when the result cannot be read. It is built here,
 * from known parts, never taken from the model.
 */
export const readPlaceUrl = (output: string): string | undefined => {
  const wanted = parse(output);
  if (wanted.view === "chat") return "/";
  if (wanted.view !== "stocks") return undefined;
  const query = new URLSearchParams();
  for (const [part, name] of Object.entries(PARTS)) {
    const value = wanted[part];
    if (typeof value === "string") query.set(name, value);
  }
  // `readPlace` leaves out what it does not know.
  const { tab, q, stockId, dialog } = readPlace(query.toString());
  // An add dialog starts with the text; the list searches for it.
  if (dialog === "add") return placeUrl({ ...START_PLACE, tab, dialog, draft: q });
  if (stockId === undefined || !UUID.test(stockId)) return placeUrl({ ...START_PLACE, tab, q });
  return placeUrl({ ...START_PLACE, tab, q, stockId, dialog: dialog === "edit" ? dialog : "detail" });
};

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const parse = (output: string): Readonly<Record<string, unknown>> => {
  try {
    const wanted: unknown = parseJson(output);
    return typeof wanted === "object" && wanted !== null ? { ...wanted } : {};
  } catch {
    // Cut, or not a place: the screen stays where it is.
    return {};
  }
};
