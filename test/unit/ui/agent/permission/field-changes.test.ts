/** What a request of an action shows: every field of the input, what stands beside what would stand. */
import { describe, expect, it } from "vitest";
import { describeAction } from "../../../../../src/ui/agent/permission/field-changes.ts";
import { requestTitle, withoutTitle } from "../../../../../src/ui/agent/permission/request-title.ts";

const ID = "0198f7a0-0000-7000-8000-000000000001";

describe("an addition", () => {
  it("lists the fields of one stock as they were given", () => {
    expect(
      describeAction("add-stock", { symbol: "AAPL", quantity: 10, watched: true, tags: ["a", "b"] }, undefined),
    ).toEqual([
      {
        title: undefined,
        changes: [
          { label: "Symbol", before: undefined, after: "AAPL" },
          { label: "Quantity", before: undefined, after: "10" },
          { label: "Watched", before: undefined, after: "yes" },
          { label: "Tags", before: undefined, after: "a, b" },
        ],
      },
    ]);
  });

  it("shows several under their symbols, and first what holds for all of them", () => {
    const input = { items: [{ symbol: "A", quantity: "1" }, { symbol: "B" }], onConflict: "update" };
    expect(describeAction("add-stock", input, undefined)).toEqual([
      { title: undefined, changes: [{ label: "If it exists", before: undefined, after: "update" }] },
      { title: "A", changes: [{ label: "Quantity", before: undefined, after: "1" }] },
      { title: "B", changes: [] },
    ]);
  });

  it("puts what stands beside what would stand where an item changes a stock of the list", () => {
    const items = [
      { symbol: " brk.b", exchange: "xnys", quantity: "2", notes: null },
      { symbol: "BRK.B", quantity: "3" },
    ];
    const listed = [
      { symbol: "BRK.B", exchange: "XNYS", name: "Berkshire", currency: "USD", quantity: "500", notes: "Mine" },
    ];
    expect(describeAction("add-stock", { items, onConflict: "update" }, listed)).toEqual([
      { title: undefined, changes: [{ label: "If it exists", before: undefined, after: "update" }] },
      {
        ...{ title: "BRK.B, XNYS", about: "Berkshire" },
        changes: [
          { label: "Quantity", before: "500", after: "2" },
          { label: "Notes", before: "Mine", after: "none" },
        ],
      },
      { title: "BRK.B", changes: [{ label: "Quantity", before: undefined, after: "3" }] },
    ]);
  });
});

describe("an update", () => {
  it("puts what stands beside what would stand", () => {
    const before = { id: ID, symbol: "MSFT", quantity: "5", avgCost: null, notes: "old" };
    expect(
      describeAction("update-stock", { id: ID, version: 3, set: { quantity: "7", avgCost: "2", notes: null } }, before),
    ).toEqual([
      {
        title: "MSFT",
        changes: [
          { label: "Quantity", before: "5", after: "7" },
          { label: "Avg. cost", before: undefined, after: "2" },
          { label: "Notes", before: "old", after: "none" },
        ],
      },
    ]);
  });

  it("names the currency that a stock gets by default, and counts in it", () => {
    const before = { id: ID, symbol: "SAP", currency: "EUR", targetLow: "90" };
    expect(describeAction("update-stock", { id: ID, set: { currency: null, targetLow: "100" } }, before)).toEqual([
      {
        title: "SAP",
        changes: [
          { label: "Currency", before: "EUR", after: "USD" },
          { label: "Buy target", before: "€90.00", after: "$100.00" },
        ],
      },
    ]);
  });

  it("says that a stock comes back from the trash, even when nothing of it is known", () => {
    expect(describeAction("update-stock", { id: ID, restore: true }, undefined)).toEqual([
      { title: ID, changes: [{ label: "Restore", before: undefined, after: "yes" }] },
    ]);
  });
});

describe("a split", () => {
  const day = "2026-06-10";
  const before = {
    ...{ id: ID, symbol: "NVDA", currency: "USD", quantity: "25" },
    ...{ avgCost: "118.2", targetLow: null, targetHigh: "120" },
    pendingSplit: { day, numerator: 10, denominator: 1 },
  };
  const answered = (answer: string, stock: unknown = before) =>
    describeAction("update-stock", { id: ID, version: 3, split: { day, answer } }, stock);
  const title = (answer: string) => {
    const input = { id: ID, split: { day, answer } };
    return requestTitle({
      ...{ title: "Change a stock", isTruncated: false },
      subject: { type: "action", name: "update-stock", input, before },
    });
  };

  it("is in the words that its person reads on the stock", () => {
    expect(answered("apply")).toEqual([
      {
        title: "NVDA",
        changes: [
          {
            ...{ label: "Split", before: undefined },
            after: "NVDA split 10:1 on 10 Jun: 25 × $118.20 becomes 250 × $11.82, target $120.00 becomes $12.00.",
          },
        ],
      },
    ]);
    expect(title("apply")).toBe("Apply the split of NVDA");
  });

  it("that is not theirs changes nothing", () => {
    expect(answered("dismiss")[0]?.changes).toEqual([
      {
        ...{ label: "Split", before: undefined },
        after: "NVDA split 10:1 on 10 Jun: does not apply. Quantity, cost and targets stay as they are.",
      },
    ]);
    expect(title("dismiss")).toBe("Dismiss the split of NVDA");
  });

  it("whose answer is taken back shows what that restores", () => {
    const { pendingSplit, quantity, avgCost, targetHigh } = before;
    const former = { quantity, avgCost, targetHigh, pendingSplit };
    const stock = { ...before, quantity: "250", avgCost: "11.82", targetHigh: "12", pendingSplit: null, former };
    expect(answered("undo", stock)[0]?.changes).toEqual([
      { label: "Quantity", before: "250", after: "25" },
      { label: "Avg. cost", before: "$11.82", after: "$118.20" },
      { label: "Sell target", before: "$12.00", after: "$120.00" },
      { label: "Split", before: undefined, after: "NVDA split 10:1 on 10 Jun: asked about again" },
    ]);
    expect(answered("undo", { ...stock, former: undefined })[0]?.changes).toEqual([
      { label: "Split", before: undefined, after: '{"day":"2026-06-10","answer":"undo"}' },
    ]);
  });

  it.each([{}, { ...before, pendingSplit: null }, { ...before, pendingSplit: { day: "2026-06-11" } }])(
    "that does not wait on the stock is shown as it was asked for: %j",
    (stock) => {
      expect(answered("apply", stock)[0]?.changes).toEqual([
        { label: "Split", before: undefined, after: '{"day":"2026-06-10","answer":"apply"}' },
      ]);
    },
  );
});

it("what a change says of prices is in plain words", () => {
  const set = { notify: true, autoPrice: false, instrument: { symbol: "VOD", exchange: "XLON" } };
  const before = { symbol: "VOD", notify: false, autoPrice: true, instrument: null };
  expect(describeAction("update-stock", { id: ID, set }, before)[0]?.changes).toEqual([
    { label: "Target notices", before: "no", after: "yes" },
    { label: "Automatic price", before: "yes", after: "no" },
    { label: "Price listing", before: undefined, after: "VOD, XLON" },
  ]);
});

describe("a deletion", () => {
  it("names each stock with what is lost, and ids that are not in the list", () => {
    const before = [{ id: ID, symbol: "TSLA", name: "Tesla", quantity: "3", avgCost: null }];
    expect(describeAction("delete-stock", { ids: [ID, "other"] }, before)).toEqual([
      {
        title: "TSLA",
        changes: [
          { label: "Name", before: "Tesla", after: undefined },
          { label: "Quantity", before: "3", after: undefined },
        ],
      },
      { title: "other (not in your list)", changes: [] },
    ]);
  });
});

it("an action nobody thought of shows all it was given", () => {
  expect(describeAction("new-action", { lastPriceAt: "now", toString: { deep: 1 } }, undefined)).toEqual([
    {
      title: undefined,
      changes: [
        { label: "Last price at", before: undefined, after: "now" },
        { label: "To string", before: undefined, after: '{"deep":1}' },
      ],
    },
  ]);
});

it("an input that is no object is shown all the same", () => {
  expect(describeAction("add-stock", "AAPL", undefined)).toEqual([
    { title: undefined, changes: [{ label: "Input", before: undefined, after: "AAPL" }] },
  ]);
});

describe("the title of a request", () => {
  const asked = (name: string, input: unknown, before?: unknown, isTruncated = false) =>
    requestTitle({ title: "The server's", subject: { type: "action", name, input, before }, isTruncated });
  const amazon = { symbol: "AMZN" };

  it.each([
    [asked("update-stock", { id: "s1", set: { targetLow: "150" } }, amazon), "Set AMZN's buy target"],
    [
      asked("update-stock", { id: "s1", set: { quantity: 1, avgCost: 2 } }, amazon),
      "Set AMZN's quantity and average cost",
    ],
    [asked("update-stock", { id: "s1", set: { notes: null } }, amazon), "Clear AMZN's notes"],
    [asked("update-stock", { id: "s1", set: { watched: true } }, amazon), "Watch AMZN"],
    [asked("update-stock", { id: "s1", set: { watched: false } }, amazon), "Stop watching AMZN"],
    [asked("update-stock", { id: "s1", restore: true }, amazon), "Restore AMZN"],
    [asked("delete-stock", { id: "s1" }, [amazon]), "Delete AMZN"],
  ])("names the stock: %s", (title, words) => {
    expect(title).toBe(words);
  });

  it.each([
    ["a stock that is not there", asked("update-stock", { id: "s1", set: { targetLow: "150" } })],
    ["several stocks", asked("delete-stock", { ids: ["s1"] }, [amazon])],
    ["an input that was cut", asked("update-stock", { id: "s1", set: { name: "A" } }, amazon, true)],
    ["another action", asked("add-stock", { symbol: "AMZN" })],
  ])("is the server's own for %s", (_, title) => {
    expect(title).toBe("The server's");
  });
});

describe("amounts", () => {
  const before = { id: ID, symbol: "MSFT", name: "Microsoft", currency: "EUR", quantity: "5", avgCost: "310.5" };

  it("have thousands, and prices their currency", () => {
    const [group] = describeAction("update-stock", { id: ID, set: { quantity: "12500", avgCost: 1310.255 } }, before);
    expect(group).toEqual({
      title: "MSFT",
      about: "Microsoft",
      changes: [
        { label: "Quantity", before: "5", after: "12,500" },
        { label: "Avg. cost", before: "€310.50", after: "€1,310.255" },
      ],
    });
  });

  it.each([
    ["a currency that changes with it", { set: { avgCost: "2", currency: "USD" } }, "$2.00"],
    ["a currency that does not exist", { set: { avgCost: "2000", currency: "EURO" } }, "2,000"],
    ["no amount at all", { set: { avgCost: "1e9" } }, "1e9"],
    ["more decimals than are taken", { set: { avgCost: "1.00000000001" } }, "1.00000000001"],
  ])("are never more than what was given: %s", (_, { set }, words) => {
    const [group] = describeAction("update-stock", { id: ID, set }, before);
    expect(group?.changes[0]?.after).toBe(words);
  });
});

it("a price without a currency says which one it would have", () => {
  const currencyOf = (input: object) =>
    describeAction("add-stock", { symbol: "NVDA", ...input }, undefined)[0]?.changes.find(
      (one) => one.label === "Currency",
    );
  expect(currencyOf({ avgCost: "118.2", quantity: "5" })?.after).toBe("USD by default");
  expect(currencyOf({ avgCost: "118.2", currency: "EUR" })?.after).toBe("EUR");
  expect(currencyOf({ quantity: "5" })).toBeUndefined();
});

describe("what the title names already", () => {
  const shown = (name: string, input: object, title: string, before?: unknown) =>
    withoutTitle(describeAction(name, input, before), title, name, input);
  const apple = { symbol: "AAPL", quantity: "1" };
  const added = describeAction("add-stock", apple, undefined);

  it("is not said again", () => {
    expect(shown("add-stock", apple, "Add AAPL")[0]?.changes.map(({ label }) => label)).toEqual(["Quantity"]);
    const stock = { id: ID, symbol: "A" };
    const input = { id: ID, set: { quantity: "2" } };
    expect(shown("update-stock", input, "Set A's quantity", stock)[0]?.title).toBeUndefined();
    expect(shown("delete-stock", { id: ID }, "Delete A", stock)[0]?.title).toBeUndefined();
  });

  it("is said where the title names something else, or several are asked for", () => {
    expect(shown("add-stock", apple, "Add AAPL.US")).toEqual(added);
    const two = { items: [{ symbol: "A" }, { symbol: "B" }] };
    expect(shown("add-stock", two, "Add A")).toEqual(describeAction("add-stock", two, undefined));
  });

  it.each([
    ["delete-stock", { ids: [ID] }, "Delete 1 stock", "1"],
    ["add-stock", { items: [{ symbol: "1" }] }, "Add 1 stock", "1"],
    ["add-stock", { items: [{ symbol: "stock" }] }, "Add 1 stock", "stock"],
    ["update-stock", { id: ID, set: { isin: "x" } }, "Set ISIN", "ISIN"],
  ])("is said where the title only has a word like it: %s %j, %s", (name, input, title, symbol) => {
    expect(shown(name, input, title, { id: ID, symbol }).at(-1)?.title).toBe(symbol);
  });
});
