/** Which stocks are still the example that was put in, and putting it in (docs/decisions/0124). */
import { EXAMPLE_LIST } from "../../../contract/prices/example-list.ts";
import { EXAMPLE_TAG } from "../../../contract/prices/example-tag.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { readAction } from "../../api/call-action.ts";
import { runAction } from "../../api/run-action.ts";
import { followPrices } from "../store/follow-prices.ts";
import type { StockStore } from "../store/stock-store.ts";
import { writesSettled } from "../store/use-stock-actions.ts";

type Listed = { readonly symbol: string; readonly exchange?: string | null | undefined };

const keyOf = ({ symbol, exchange }: Listed): string => `${symbol} ${exchange ?? ""}`;

/** Fields that are null unless the example says otherwise. */
const FIELDS = [
  "name",
  "isin",
  "currency",
  "quantity",
  "avgCost",
  "targetLow",
  "targetHigh",
  "sector",
  "notes",
] as const;

/** Whether a stock is as the example list put it in. What a source says of its price changes nothing. */
export const isUntouched = (stock: Stock): boolean => {
  const draft = EXAMPLE_LIST.find((one) => keyOf(one) === keyOf(stock));
  return (
    draft !== undefined &&
    FIELDS.every((field) => stock[field] === (draft[field] ?? null)) &&
    stock.assetType === (draft.assetType ?? "stock") &&
    stock.watched === (draft.quantity === undefined) &&
    stock.tags.join() === EXAMPLE_TAG &&
    stock.autoPrice &&
    stock.priceState !== "manual"
  );
};

/** Adds it. Resolves to the symbols that were left out, because a stock of the person's own waits in the trash under them. */
export const addExampleList = async (store: StockStore): Promise<readonly string[]> => {
  // Stocks that are just being removed would count as listed, and then be gone.
  await writesSettled();
  const items = [...EXAMPLE_LIST];
  const [rehearsal, trash] = await Promise.all([
    runAction("add-stock", { items, onConflict: "skip", dryRun: true }),
    readAction("list-stocks", { deleted: true, tags: [EXAMPLE_TAG], limit: 200 }),
  ]);
  const outcomes = "results" in rehearsal ? rehearsal.results : [];
  const examples = new Set(trash.items.map(keyOf));
  const isLeftOut = (item: Listed, place: number): boolean =>
    outcomes[place]?.outcome === "restored" && !examples.has(keyOf(item));
  const answer = await runAction("add-stock", {
    items: items.filter((item, place) => !isLeftOut(item, place)),
    onConflict: "skip",
  });
  const results = "results" in answer ? answer.results : [];
  store.apply({ stocks: results.flatMap(({ stock }) => stock ?? []), deleted: [] });
  void followPrices(store, { tags: [EXAMPLE_TAG] });
  return items.filter(isLeftOut).map(({ symbol }) => symbol);
};
