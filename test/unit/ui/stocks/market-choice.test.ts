/** Which of the listings that were found a stock without a market may have. */
import { expect, it } from "vitest";
import type { SymbolMatch } from "../../../../src/contract/prices/find-symbol.ts";
import { sortMatches } from "../../../../src/ui/stocks/detail/market-choice.tsx";

const listed = (symbol: string, exchange: string | null): SymbolMatch => ({
  ...{ symbol, exchange, name: "Berkshire Hathaway Inc", assetType: "stock", currency: "USD", isin: null },
  ...{ stockId: null, inPlan: true, source: "eodhd" },
});

it("a share class may be written in another way", () => {
  const matches = [listed("BRK-B", null), listed("BRK-A", null), listed("BRK.B", "XNYS"), listed("BRK", "XMEX")];
  const stock = { symbol: "BRK.B", currency: "USD", isin: null };
  expect(sortMatches(matches, stock)).toEqual({ fitting: [matches[0], matches[2]], others: [] });
});
