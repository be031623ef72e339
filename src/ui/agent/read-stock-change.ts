/** What a stock action of the agent changed, read off its result in the transcript. */
import type { ActionOutput } from "../../contract/action.ts";
import type { AddResult } from "../../contract/add-stock.ts";
import type { Stock } from "../../contract/stock.ts";
import type { StockChange } from "../stocks/stock-change.ts";

/** The tools that change stocks, and what a person is told of them. */
const VERBS: Readonly<Record<string, string>> = {
  "add-stock": "added",
  "update-stock": "changed",
  "delete-stock": "deleted",
};

/** Symbols that are said one by one. */
const MAX_NAMED = 3;

/** Whether a tool changes stocks. */
export const changesStocks = (tool: string): boolean => VERBS[tool] !== undefined;

/** The change, or undefined for a result that was cut for the stream. */
export const readStockChange = (output: string): StockChange | undefined => {
  let answer: Partial<ActionOutput<"update-stock"> & ActionOutput<"delete-stock"> & Results>;
  try {
    answer = JSON.parse(output);
  } catch {
    // Long results are cut in the middle; the list is read again instead.
    return undefined;
  }
  const { stock, results = [], deleted = [] } = answer;
  const written = results.flatMap((result) => (result.outcome === "skipped" ? [] : (result.stock ?? [])));
  return { stocks: stock === undefined ? written : [stock, ...written], deleted };
};

type Results = { readonly results: readonly AddResult[] };

/** One sentence for those who hear the page. `known` are the stocks as they were. */
export const sayChange = (tool: string, { stocks, deleted }: StockChange, known: readonly Stock[]): string => {
  const gone = known.filter(({ id }) => deleted.some((other) => other === id));
  const symbols = [...stocks, ...gone].map(({ symbol }) => symbol);
  const count = stocks.length + deleted.length;
  const isNamed = symbols.length === count && count <= MAX_NAMED;
  const named = isNamed ? symbols.join(", ") : `${count} ${count === 1 ? "stock" : "stocks"}`;
  return `The agent ${VERBS[tool] ?? "changed"} ${named}.`;
};
