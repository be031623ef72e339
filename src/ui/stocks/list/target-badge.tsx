/** Says that the last price has reached a target. Stands where it is never left out, unlike `StockBadges`. */
import type { Stock } from "../../../contract/stock.ts";

const HITS = { below_low: ["below", "buy target"], above_high: ["above", "sell target"] } as const;

/** Nothing without a hit. Where room is short, the first word is only heard. */
export const TargetBadge = ({ stock: { targetState } }: { readonly stock: Stock }) => {
  if (targetState !== "below_low" && targetState !== "above_high") return null;
  const [side, target] = HITS[targetState];
  return (
    <span class="badge hit">
      <span class="side">{side} </span>
      {target}
    </span>
  );
};
