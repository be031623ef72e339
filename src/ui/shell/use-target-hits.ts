/** How many stocks have reached a target: what the badge beside "Stocks" counts. */
import { useMemo } from "preact/hooks";
import type { Stock } from "../../contract/stock.ts";
import { useStockList } from "../stocks/use-stock-list.ts";

/** Whether the last price has reached a target. */
export const isTargetHit = ({ targetState }: Stock): boolean =>
  targetState === "below_low" || targetState === "above_high";

/** 0 until the list is here. */
export const useTargetHits = (): number => {
  const { list } = useStockList();
  return useMemo(() => list?.items.filter(isTargetHit).length ?? 0, [list]);
};
