/** Stocks that a run's calls name: all that is known of one which was purged since, with its history. */
import * as z from "zod";
import { StockId } from "../../contract/ids.ts";
import { tryParseJson } from "../../contract/parse-json.ts";

/** A call of an action that has ended: its answer, and what the person was shown of it. */
export type RecordedCall = { readonly tool: string; readonly output: string; readonly before: unknown };

/** Actions that change stocks. */
const WRITES: ReadonlySet<string> = new Set(["add-stock", "update-stock", "delete-stock"]);

const Named = z.object({ id: StockId, symbol: z.string() });

/** The answers of the three actions, as far as they name stocks. An answer that was cut names none. */
const Answer = z.object({
  stock: Named.optional(),
  results: z.array(z.object({ stock: Named.optional() })).optional(),
  deleted: z.array(StockId).optional(),
});

const Shown = z.union([z.array(Named), Named.transform((one) => [one])]);

/** Their symbols by id; empty where the run never saw it. */
export const recordedStocks = (calls: readonly RecordedCall[]): ReadonlyMap<StockId, string> => {
  const symbols = new Map<StockId, string>();
  for (const { output, before } of calls.filter(({ tool }) => WRITES.has(tool))) {
    const { stock, results = [], deleted = [] } = Answer.safeParse(tryParseJson(output)).data ?? {};
    const shown = Shown.safeParse(before).data ?? [];
    const named = [...(stock ? [stock] : []), ...results.flatMap((result) => result.stock ?? [])];
    for (const { id, symbol } of named) symbols.set(id, symbol);
    for (const id of deleted) symbols.set(id, shown.find((one) => one.id === id)?.symbol ?? symbols.get(id) ?? "");
  }
  return symbols;
};
