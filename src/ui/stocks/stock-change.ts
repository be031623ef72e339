/** What happened to stocks, as a fact that can be applied to any list of them, twice or late, with the same outcome. */
import type { Stock } from "../../contract/stock.ts";

/** `stocks` as they are now (one with `deletedAt` is in the trash); `deleted` are ids that left the list. */
export type StockChange = { readonly stocks: readonly Stock[]; readonly deleted: readonly string[] };

/** The live stocks after a change. An older version never replaces a newer one. Order: as before, new ones last. */
export const applyChange = (items: readonly Stock[], { stocks, deleted }: StockChange): readonly Stock[] => {
  const byId = new Map<string, Stock>(items.map((item) => [item.id, item]));
  for (const stock of stocks) {
    if ((byId.get(stock.id)?.version ?? 0) > stock.version) continue;
    if (stock.deletedAt === null) byId.set(stock.id, stock);
    else byId.delete(stock.id);
  }
  for (const id of deleted) byId.delete(id);
  return [...byId.values()];
};
