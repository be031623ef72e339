/** What tests of prices on the screen wait for. */
import type { tallyClient } from "../../support/browser/tally-client.ts";

/** Looks at the list, which has prices fetched in the background, until a stock has one. */
export const waitForPrice = async (tally: ReturnType<typeof tallyClient>, symbol: string): Promise<void> => {
  for (;;) {
    const { items } = await tally.act("list-stocks", {});
    if (items.some((stock) => stock.symbol === symbol && stock.lastPrice !== null)) return;
  }
};
