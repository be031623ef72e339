/** Folds the stocks of the list while the page is idle, so that the first letter of a search is quick. */
import { shownStocks } from "../../store/row-state.ts";
import { foldedStock } from "./search-stocks.ts";

/** Stocks folded at a time, so that the page stays responsive. */
const FOLDED_AT_ONCE = 100;

/** Folds what is shown, now and after each change, for as long as the page lives. */
export const foldAhead = (): void => {
  let timer: ReturnType<typeof setTimeout>;
  const foldFrom = (start: number): void => {
    const stocks = shownStocks.get();
    for (const stock of stocks.slice(start, start + FOLDED_AT_ONCE)) foldedStock(stock);
    const next = start + FOLDED_AT_ONCE;
    if (next < stocks.length) timer = setTimeout(() => foldFrom(next));
  };
  const startOver = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => foldFrom(0));
  };
  shownStocks.subscribe(startOver);
  startOver();
};
