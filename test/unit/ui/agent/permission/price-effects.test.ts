/** What a request says of a stock's prices besides the fields that it sets: the server changes more than those. */
import { expect, it } from "vitest";
import { describeAction } from "../../../../../src/ui/agent/permission/field-changes.ts";

const ID = "0198f7a0-0000-7000-8000-000000000001";
const LINKED = {
  ...{ id: ID, symbol: "AAPL", exchange: "XNAS", currency: "USD", quantity: "25", avgCost: null },
  ...{ targetLow: "150", targetHigh: null, lastPrice: "190", lastPriceAt: "2026-11-20T14:30:00.000Z" },
  ...{ autoPrice: true, notify: true, pendingSplit: null as unknown },
  instrument: { source: "twelvedata", symbol: "AAPL", exchange: "XNAS", name: "Apple" } as unknown,
};
const SPLIT = { day: "2026-06-10", numerator: 10, denominator: 1 };

/** The rows of a card but for the fields that it was asked for. */
const besides = (set: Readonly<Record<string, unknown>>, before: object = LINKED) =>
  describeAction("update-stock", { id: ID, set }, before)[0]?.changes.slice(Object.keys(set).length);

const NO_AUTOMATIC = { label: "Automatic price", before: "yes", after: "no" };
const LOOKED_UP = { label: "Price listing", before: "AAPL, XNAS", after: "looked up again" };
const NO_LISTING = { label: "Price listing", before: "AAPL, XNAS", after: "none" };
const SPLIT_DROPPED = { label: "Split", before: "AAPL split 10:1 on 10 Jun", after: "no longer asked about" };
const SPLIT_AGAIN = { ...SPLIT_DROPPED, after: "asked about again if its listing has it" };
const NO_NOTICES = { label: "Target notices", before: "yes", after: "no" };

it.each([
  ["a price", { lastPrice: "191" }],
  ["the same price, whose time is a new one", { lastPrice: "190" }],
  ["the time of a price", { lastPriceAt: "2026-11-20T14:31:00Z" }],
])("%s ends automatic prices", (_, set) => {
  expect(besides(set)).toEqual([NO_AUTOMATIC]);
});

it("so does the price of a stock that an addition changes", () => {
  const input = { items: [{ symbol: "aapl", exchange: "XNAS", lastPrice: "191" }], onConflict: "update" };
  expect(describeAction("add-stock", input, [LINKED])[1]).toEqual({
    title: "AAPL, XNAS",
    changes: [{ label: "Last price", before: "$190.00", after: "$191.00" }, NO_AUTOMATIC],
  });
});

it("a listing that is unlinked ends them too, and one that is chosen begins them", () => {
  expect(besides({ instrument: null })).toEqual([NO_AUTOMATIC]);
  const chosen = { instrument: { symbol: "AAPL", exchange: "XLON" } };
  expect(besides(chosen, { ...LINKED, autoPrice: false })).toEqual([
    { label: "Automatic price", before: "no", after: "yes" },
  ]);
});

it.each([{ symbol: "TSLA" }, { exchange: null }, { currency: "EUR" }, { symbol: "TSLA", lastPrice: "5" }])(
  "another listing drops the link: %j",
  (set) => {
    expect(besides(set)).toEqual([LOOKED_UP]);
    expect(besides(set, { ...LINKED, autoPrice: false })).toEqual([NO_LISTING]);
    expect(besides(set, { ...LINKED, pendingSplit: SPLIT })).toEqual([
      LOOKED_UP,
      "symbol" in set ? SPLIT_DROPPED : SPLIT_AGAIN,
    ]);
  },
);

it("a split that waits is dropped with its stock or its prices, and comes again with a listing", () => {
  const waiting = { ...LINKED, pendingSplit: SPLIT };
  expect(besides({ instrument: null }, waiting)).toEqual([NO_AUTOMATIC, SPLIT_DROPPED]);
  expect(besides({ instrument: { symbol: "AAPL", exchange: "XLON" } }, waiting)).toEqual([SPLIT_AGAIN]);
  expect(besides({ autoPrice: true }, { ...waiting, autoPrice: false })).toEqual([SPLIT_AGAIN]);
  expect(besides({ currency: "EUR" }, { ...waiting, autoPrice: false })).toEqual([NO_LISTING, SPLIT_DROPPED]);
  expect(besides({ autoPrice: true }, waiting)).toEqual([]);
  expect(besides({ autoPrice: false }, waiting)).toEqual([]);
});

it("without a target there are no notices", () => {
  expect(besides({ targetLow: null })).toEqual([NO_NOTICES]);
  expect(besides({ targetLow: null, targetHigh: "250" })).toEqual([]);
});

it.each([
  ["a price that is cleared: the next one comes", { lastPrice: null }, LINKED],
  ["a price with automatic ones", { lastPrice: "191", autoPrice: true }, LINKED],
  ["a price where there are no automatic ones", { lastPrice: "191" }, { ...LINKED, autoPrice: false }],
  ["a price and time that it has", { lastPrice: "190", lastPriceAt: LINKED.lastPriceAt }, LINKED],
  ["a price of a stock that is not linked", { lastPrice: "191" }, { ...LINKED, instrument: null }],
  ["another symbol of a stock that is not linked", { symbol: "TSLA" }, { ...LINKED, instrument: null }],
  ["the same listing in other letters", { symbol: " aapl", exchange: "xnas", currency: "usd" }, LINKED],
  ["another listing that is chosen", { symbol: "TSLA", instrument: { symbol: "TSLA", exchange: null } }, LINKED],
  ["anything else", { notes: "x" }, LINKED],
  ["a stock of which nothing is known", { lastPrice: "191", symbol: "A", targetLow: null }, {}],
])("nothing for %s", (_, set, before) => {
  expect(besides(set, before)).toEqual([]);
});
