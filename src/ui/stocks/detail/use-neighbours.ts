/** Leads from an open stock to the next and the previous one in the list, as it is sorted and narrowed. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { readPlace, useStocksPlace } from "../../navigation/stocks-place.ts";
import { announce } from "../../parts/announcer.tsx";
import { useStore } from "../../state/store.ts";
import { reachedRow, shownStocks } from "../store/row-state.ts";

/** Parts that use arrow keys for themselves. */
const OWN_KEYS = "input, textarea, select, [role=slider], [role=tablist], [role=combobox], .menu, .agent-dock";

/**
 * The least time between opening two stocks, in ms. Of a quicker series, the last stock is opened when the series ends. A held key repeats
 * thirty times a second, and each stock costs a request and two changes of the address. Safari refuses the 101st change in ten seconds.
 */
const PACE_MS = 250;

/** Undefined at the end of the list, and for a stock that is not in it. */
type Neighbours = { readonly previous: Stock | undefined; readonly next: Stock | undefined };

/**
 * Left and right arrow keys lead to the neighbours. Beside the list, the stock follows the row that a key moves to, and Escape closes it
 * from anywhere; over it, the dialog itself handles Escape.
 */
export const useNeighbours = (
  id: string,
  isBeside: boolean,
): Neighbours & {
  /** Shows a neighbour, and announces its name and its place in the list. */
  readonly show: (stock: Stock) => void;
} => {
  const { go, closeDialog } = useStocksPlace();
  const stocks = useStore(shownStocks);
  const [reached, setReached] = useState<{ readonly from: string; readonly to: string }>();
  const pause = useRef<ReturnType<typeof setTimeout>>();
  /** The stock that the keys have reached but that is not open yet; undefined once another was opened by other means. */
  const ahead = reached?.from === id && reached.to !== id ? reached.to : undefined;
  const at = stocks.findIndex((stock) => stock.id === (ahead ?? id));
  const found: Neighbours = { previous: stocks[at - 1], next: at < 0 ? undefined : stocks[at + 1] };
  const follow = (stockId: string): void => {
    if (pause.current === undefined) go({ dialog: "detail", stockId }, { replace: true });
    else setReached({ from: id, to: stockId });
    clearTimeout(pause.current);
    pause.current = setTimeout(endPause, PACE_MS);
    document.querySelector(`[data-id="${CSS.escape(stockId)}"]`)?.scrollIntoView({ block: "nearest" });
  };
  const endPause = (): void => {
    pause.current = undefined;
    setReached(undefined);
    const now = latest.current;
    // Does not leave the stock's form, and does nothing if the stock was closed. The address is the first to know.
    if (now.ahead !== undefined && readPlace(location.search).dialog === "detail") now.follow(now.ahead);
  };
  useEffect(() => () => clearTimeout(pause.current), []);
  const show = (stock: Stock): void => {
    follow(stock.id);
    const { symbol, name } = stock;
    announce(`${name === symbol ? symbol : `${symbol}, ${name}`}, ${stocks.indexOf(stock) + 1} of ${stocks.length}`);
  };
  const latest = useRef({ ...found, ahead, show, follow, closeDialog });
  latest.current = { ...found, ahead, show, follow, closeDialog };
  // Runs before the stock is drawn: a key that is pressed as soon as it is seen must count.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { target, key, defaultPrevented, altKey, ctrlKey, metaKey, shiftKey } = event;
      if (defaultPrevented || altKey || ctrlKey || metaKey || shiftKey) return;
      // Another dialog is over this one.
      if (!(target instanceof Element) || isCovered(isBeside)) return;
      if (target.closest(OWN_KEYS)) return;
      const { previous, next } = latest.current;
      const neighbour = { ArrowLeft: previous, ArrowRight: next }[key];
      if (neighbour) latest.current.show(neighbour);
      else if (key === "Escape" && isBeside && !document.querySelector(":popover-open.menu"))
        latest.current.closeDialog();
      else return;
      event.preventDefault();
    };
    // Not announced, because the row itself has the focus and is read out.
    const followRow = (): void => {
      const { id: reached } = reachedRow.get();
      if (isBeside && reached !== undefined) latest.current.follow(reached);
    };
    document.addEventListener("keydown", onKeyDown);
    const unfollow = reachedRow.subscribe(followRow);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      unfollow();
    };
  }, [isBeside]);
  return { ...found, show };
};

/** Whether another dialog is over the stock. */
const isCovered = (isBeside: boolean): boolean =>
  document.querySelectorAll("dialog[open]:not(.beside)").length > (isBeside ? 0 : 1);
