/** How many listings one request asks for: as many as the day's credits pay with all that their answers may need. */
import { expect, it } from "vitest";
import { nextBatch } from "../../../src/quotes/object/due.ts";
import { eodhd } from "../../../src/quotes/sources/eodhd.ts";
import { aListing } from "../../support/a-listing.ts";

it.each([
  ["is a search and a look for splits more where shares were counted before", "2025-01-01", null, 6],
  ["is a search more where they were not", null, null, 9],
  ["is nothing more once there is one", "2025-01-01", "190.5", 15],
])("a first price of EODHD's %s", (_, splitDay, price, asked) => {
  const due = Array.from({ length: 20 }, () => aListing({ splitDay, price }));
  expect(nextBatch(due, eodhd, 20)).toHaveLength(asked);
});
