import type { ListingRow } from "../../src/db/prices/instruments.ts";

/** A listing of Twelve Data's in New York with a price, and nothing else that is known of it. */
export const aListing = (more: Partial<ListingRow> = {}): ListingRow => ({
  ...{ id: "i", source: "twelvedata", symbol: "S", mic: "XNAS", currency: "USD", askedAtMs: 0, refused: null },
  ...{ price: "1", asOf: null, previousClose: null, mark: null, pending: null, priority: 1 },
  ...{ lastClose: null, splitDay: null },
  ...more,
});
