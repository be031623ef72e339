/** What a stock action of the agent changed, read off its result in the transcript. */
import type { ActionOutput } from "../../contract/action.ts";
import type { Stock } from "../../contract/stock.ts";
import type { StockChange } from "../stocks/stock-change.ts";

/** The tools that change stocks, and what a person is told of them. */
const VERBS: Readonly<Record<string, string>> = {
  "add-stock": "added",
  "update-stock": "changed",
  "delete-stock": "deleted",
};

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
  const stocks = [stock, ...results.map((result) => result.stock)].filter((one) => one !== undefined);
  return { stocks, deleted };
};

type Results = { readonly results: readonly { readonly stock?: Stock }[] };

/** One sentence for those who hear the page. `known` are the stocks as they were. */
export const sayChange = (tool: string, { stocks, deleted }: StockChange, known: readonly Stock[]): string => {
  const gone = known.filter(({ id }) => deleted.some((other) => other === id));
  const symbols = [...stocks, ...gone].map(({ symbol }) => symbol);
  const named = symbols.length > 0 && symbols.length <= 3 ? symbols.join(", ") : `${symbols.length} stocks`;
  return `The agent ${VERBS[tool] ?? "changed"} ${named}.`;
};
