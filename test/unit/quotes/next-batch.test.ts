/** How many listings one request asks for: as many as the day's credits pay with all that their answers may need. */
import { expect, it } from "vitest";
import type { ListingRow } from "../../../src/db/prices/instruments.ts";
import { nextBatch } from "../../../src/quotes/object/due.ts";
import { eodhd } from "../../../src/quotes/sources/eodhd.ts";

const listing = (splitDay: string | null, price: string | null): ListingRow => ({
  ...{ id: crypto.randomUUID(), symbol: "AAPL.US", mic: "XNAS", currency: "USD", source: "eodhd" },
  ...{ askedAtMs: 0, refused: null, price, asOf: null, previousClose: null, mark: null, pending: null },
  ...{ priority: 0, lastClose: null, splitDay },
});

it.each([
  ["is a search and a look for splits more where shares were counted before", "2025-01-01", null, 6],
  ["is a search more where they were not", null, null, 9],
  ["is nothing more once there is one", "2025-01-01", "190.5", 15],
])("a first price of EODHD's %s", (_, splitDay, price, asked) => {
  const due = Array.from({ length: 20 }, () => listing(splitDay, price));
  expect(nextBatch(due, eodhd, 20)).toHaveLength(asked);
});
