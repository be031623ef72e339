/** What notices and mails link to is what the app opens. */
import { expect, it } from "vitest";
import { stockPath } from "../../../../src/contract/screen/stock-path.ts";
import { placeUrl, readPlace, START_PLACE } from "../../../../src/ui/navigation/stocks-place.ts";

const ID = "0193f5c0-0000-7000-8000-000000000001";

it("a stock's address opens that stock, and is the one that the app itself would show", () => {
  const place = { ...START_PLACE, dialog: "detail", stockId: ID } as const;
  expect(readPlace(new URL(stockPath(ID), "https://tally.test").search)).toEqual(place);
  expect(stockPath(ID)).toBe(placeUrl(place));
});
