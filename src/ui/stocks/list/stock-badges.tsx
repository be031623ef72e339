/** What stands beside a symbol: a reached target, the market, who changed the stock last. */
import type { Stock } from "../../../contract/stock.ts";
import { Badge } from "../../parts/badge.tsx";
import { MarkedText } from "./marked-text.tsx";

/** The most urgent one first: those that find no room are left out. */
export const StockBadges = ({ stock, words }: { readonly stock: Stock; readonly words: readonly string[] }) => (
  <>
    {stock.targetState === "below_low" && <Badge tone="hit">below buy target</Badge>}
    {stock.targetState === "above_high" && <Badge tone="hit">above sell target</Badge>}
    {stock.exchange !== null && (
      <Badge>
        <MarkedText text={stock.exchange} words={words} />
      </Badge>
    )}
    {stock.updatedVia === "agent" && (
      <Badge tone="outline">{stock.version === 1 ? "added by agent" : "changed by agent"}</Badge>
    )}
  </>
);
