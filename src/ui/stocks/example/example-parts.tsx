/** The example list on the screen: the button that adds it to an empty list, and the bar that takes it away again. */
import { useState } from "preact/hooks";
import { ATTRIBUTIONS } from "../../../contract/prices/attributions.ts";
import { EXAMPLE_LIST } from "../../../contract/prices/example-list.ts";
import { EXAMPLE_TAG } from "../../../contract/prices/example-tag.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { readAction } from "../../api/read-action.ts";
import { runAction } from "../../api/run-action.ts";
import { formatCount, LOCALE } from "../../format/format-number.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { showToast } from "../../parts/toasts.tsx";
import { followPrices } from "../store/follow-prices.ts";
import { errorText } from "../store/stock-failures.ts";
import { type StockStore, useStockStore } from "../store/stock-store.ts";
import { useStockActions, writesSettled } from "../store/use-stock-actions.ts";

/** For somebody who wants to see the app with something in it. */
export const TryExample = () => {
  const store = useStockStore();
  const [isAdding, setAdding] = useState(false);
  const add = async (): Promise<void> => {
    if (isAdding) return;
    setAdding(true);
    try {
      const leftOut = await addExampleList(store);
      announce("The example list was added.");
      if (leftOut.length > 0) showToast({ text: `Left out, because you have deleted them: ${leftOut.join(", ")}.` });
    } catch (error) {
      showToast({ text: `The example list was not added. ${errorText(error)}`, tone: "bad" });
    } finally {
      // The button may still be there: all examples may be in the list, hidden by a change that is not confirmed yet.
      setAdding(false);
    }
  };
  return (
    <Button aria-disabled={isAdding} onClick={() => void add()}>
      {isAdding ? "Adding…" : "Try an example list"}
    </Button>
  );
};

/** Says that stocks are examples, and removes those that nobody has changed. Shows nothing when no unchanged ones are left. */
export const ExampleBar = ({ stocks }: { readonly stocks: readonly Stock[] }) => {
  const { remove } = useStockActions();
  const examples = stocks.filter(({ tags }) => tags.includes(EXAMPLE_TAG));
  const untouched = examples.filter(isUntouched);
  const kept = examples.length - untouched.length;
  // Gives back the line that the list keeps for this bar.
  if (untouched.length === 0) return <span hidden />;
  const isDemo = untouched.some(({ instrument }) => instrument?.source === "demo");
  return (
    <section class="example-bar" aria-label="Example list">
      <p>
        {isDemo ? ATTRIBUTIONS.demo.text : "Examples"}
        {kept > 0 && ` · ${formatCount(kept, "that you changed stays", "that you changed stay", LOCALE)}`}
      </p>
      <button type="button" class="link" onClick={() => remove(untouched)}>
        Remove {formatCount(untouched.length, "example", "examples", LOCALE)}
      </button>
    </section>
  );
};

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

/** Whether a stock is as the example list added it. A price from a source does not count as a change. */
const isUntouched = (stock: Stock): boolean => {
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

/** Adds the example list. Resolves to the symbols that were left out because a stock of the person's own in the trash has them. */
const addExampleList = async (store: StockStore): Promise<readonly string[]> => {
  // Stocks that are just being removed would count as listed, and then be gone.
  await writesSettled();
  const items = [...EXAMPLE_LIST];
  const [rehearsal, trash] = await Promise.all([
    runAction("add-stock", { items, onConflict: "skip", dryRun: true }),
    readAction("list-stocks", { deleted: true, tags: [EXAMPLE_TAG], limit: 200 }),
  ]);
  const outcomes = "results" in rehearsal ? rehearsal.results : [];
  const examples = new Set(trash.items.map(keyOf));
  const isLeftOut = (item: Listed, index: number): boolean =>
    outcomes[index]?.outcome === "restored" && !examples.has(keyOf(item));
  const answer = await runAction("add-stock", {
    items: items.filter((item, index) => !isLeftOut(item, index)),
    onConflict: "skip",
  });
  const results = "results" in answer ? answer.results : [];
  store.apply({ stocks: results.flatMap(({ stock }) => stock ?? []), deleted: [] });
  void followPrices(store, { tags: [EXAMPLE_TAG] });
  return items.filter(isLeftOut).map(({ symbol }) => symbol);
};
