/**
 * What happened to stocks, as a fact that can be applied to any list of them, twice or late, with the same outcome. Except for `deleted`:
 * ids have no version, so an answer from before that is applied afterwards brings the stock back. `StockStore` keeps journals for that.
 */
import type { Stock } from "../../../contract/stocks/stock.ts";

/** `stocks` as they are now (one with `deletedAt` is in the trash); `deleted` are ids that left the list. */
export type ChangedStocks = { readonly stocks: readonly Stock[]; readonly deleted: readonly string[] };

/** A source's price comes without a new version, and replaces a typed one whatever its time. Typing a price makes a new version. */
const quotedAt = ({ priceState, lastPriceAt }: Stock): string => (priceState === "manual" ? "" : (lastPriceAt ?? ""));

/** Whether `one` is older than `other`: by its version, and at the same version by the time of its price. */
export const isOlder = (one: Stock, other: Stock | undefined): boolean =>
  other !== undefined &&
  (one.version < other.version || (one.version === other.version && quotedAt(one) < quotedAt(other)));

/** The live stocks after a change. An older stock never replaces a newer one. Order: as before, new ones last. */
export const applyChange = (items: readonly Stock[], { stocks, deleted }: ChangedStocks): readonly Stock[] => {
  const byId = new Map<string, Stock>(items.map((item) => [item.id, item]));
  for (const stock of stocks) {
    if (isOlder(stock, byId.get(stock.id))) continue;
    if (stock.deletedAt === null) byId.set(stock.id, stock);
    else byId.delete(stock.id);
  }
  for (const id of deleted) byId.delete(id);
  return [...byId.values()];
};
