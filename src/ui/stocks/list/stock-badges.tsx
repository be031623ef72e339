/** What stands beside a symbol: the market, who changed the stock last. */
import type { Stock } from "../../../contract/stock.ts";
import { Badge } from "../../parts/badge.tsx";
import { markedText } from "./marked-text.tsx";

/** Those that find no room are left out. */
export const StockBadges = ({ stock, words }: { readonly stock: Stock; readonly words: readonly string[] }) => (
  <>
    {stock.exchange !== null && <Badge>{markedText(stock.exchange, words)}</Badge>}
    {stock.updatedVia === "agent" && (
      <Badge tone="outline">{stock.version === 1 ? "added by agent" : "changed by agent"}</Badge>
    )}
  </>
);
