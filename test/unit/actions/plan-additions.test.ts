/** What becomes of stocks to add: created, restored, updated, skipped, conflict or invalid (api.md §5). */
import { describe, expect, it } from "vitest";
import { planAdditions } from "../../../src/actions/plan-additions.ts";
import { toMutation } from "../../../src/actions/stock-change.ts";
import type { OnConflict } from "../../../src/contract/stocks/add-stock.ts";
import { StockDraft } from "../../../src/contract/stocks/stock-values.ts";
import type { StockRow } from "../../../src/db/stock-tables.ts";
import { mergeLots } from "../../../src/ui/stocks/import/read/join-stocks.ts";
import { aMoment, aRow } from "../../support/stock-factory.ts";

type Setting = { rows?: StockRow[]; liveCount?: number; trashCount?: number; onConflict?: OnConflict };

const plan = (
  drafts: Record<string, unknown>[],
  { rows = [], liveCount = 1, trashCount = 0, onConflict = "error" }: Setting = {},
) =>
  planAdditions(
    aMoment(),
    drafts.map((draft) => ({ draft: StockDraft.parse(draft) })),
    { rows, liveCount, trashCount },
    onConflict,
  );

const outcomes = (planned: ReturnType<typeof plan>) => planned.map(({ outcome }) => outcome);

describe("a symbol that is not in the list", () => {
  it("is created", () => {
    expect(plan([{ symbol: "AAPL", quantity: "2" }])).toMatchObject([
      { outcome: "created", stock: { symbol: "AAPL", quantity: "2", version: 1 } },
    ]);
  });

  it("is another one on another exchange", () => {
    const rows = [aRow({ symbol: "AAPL" }), aRow({ symbol: "AAPL", exchange: "XNAS" })];
    expect(outcomes(plan([{ symbol: "AAPL", exchange: "XETR" }], { rows }))).toEqual(["created"]);
  });

  it("comes back from the trash under its id with the new values alone", () => {
    const trashed = aRow(
      { symbol: "AAPL", quantity: "5", notes: "old" },
      { version: 3, deletedAt: "2026-11-01T00:00:00.000Z" },
    );
    expect(plan([{ symbol: "AAPL", name: "Apple" }], { rows: [trashed] })).toMatchObject([
      {
        outcome: "restored",
        stock: {
          id: trashed.id,
          name: "Apple",
          quantity: null,
          notes: null,
          watched: true,
          version: 4,
          deletedAt: null,
        },
      },
    ]);
  });

  it("does not fit into a full list, whether new or from the trash", () => {
    const rows = [aRow({ symbol: "OLD" }, { deletedAt: "2026-11-01T00:00:00.000Z" })];
    const full = { outcome: "conflict", error: "You have 5,000 stocks, the limit. Delete some first." };
    expect(plan([{ symbol: "NEW" }, { symbol: "OLD" }], { rows, liveCount: 5_000 })).toEqual([full, full]);
  });

  it("does not fit into a full trash because an update came before, of a stock whose twin is in there", () => {
    const twins = [aRow({ symbol: "AAPL" }), aRow({ symbol: "AAPL" }, { deletedAt: "2026-11-01T00:00:00.000Z" })];
    const setting = { rows: twins, trashCount: 10_000, onConflict: "update" } as const;
    expect(outcomes(plan([{ symbol: "AAPL", notes: "n" }, { symbol: "NEW" }], setting))).toEqual([
      "updated",
      "conflict",
    ]);
  });

  it("is let in up to the limit, counted item by item", () => {
    const items = [{ symbol: "A" }, { symbol: "B" }];
    expect(outcomes(plan(items, { liveCount: 4_999 }))).toEqual(["created", "conflict"]);
  });
});

describe("a symbol that is in the list", () => {
  const live = aRow({ symbol: "AAPL", quantity: "5", avgCost: "100" }, { version: 2 });

  it("is a conflict by default", () => {
    expect(plan([{ symbol: "AAPL" }], { rows: [live] })).toEqual([
      { outcome: "conflict", error: "AAPL is already in your list.", code: "symbol_taken" },
    ]);
  });

  it("is left as it is by skip", () => {
    const planned = plan([{ symbol: "AAPL", quantity: "7" }], { rows: [live], onConflict: "skip" });
    expect(planned).toEqual([{ outcome: "skipped", stock: live }]);
  });

  it("takes the item as a patch by update", () => {
    const planned = plan([{ symbol: "AAPL", avgCost: "110" }], { rows: [live], onConflict: "update" });
    expect(planned).toMatchObject([{ outcome: "updated", stock: { quantity: "5", avgCost: "110", version: 3 } }]);
  });

  it("keeps its version when the update changes nothing", () => {
    const planned = plan([{ symbol: "AAPL", quantity: "5.0" }], { rows: [live], onConflict: "update" });
    expect(planned).toEqual([{ outcome: "updated", stock: live }]);
  });

  it("loses the cost that the combined purchases of a file leave open", () => {
    const merged = mergeLots([
      { symbol: "AAPL", quantity: "10", avgCost: "100" },
      { symbol: "AAPL", quantity: "10" },
    ]);
    const drafts = "draft" in merged ? [{ ...merged.draft }] : [];
    expect(plan(drafts, { rows: [live], onConflict: "update" })).toMatchObject([
      { outcome: "updated", stock: { quantity: "20", avgCost: null } },
    ]);
  });

  it("is invalid when the merged record is", () => {
    const planned = plan([{ symbol: "AAPL", quantity: null }], { rows: [live], onConflict: "update" });
    expect(planned).toEqual([
      { outcome: "invalid", error: "avgCost: needs a quantity above 0, otherwise set it to null" },
    ]);
  });
});

describe("a symbol that comes twice", () => {
  const twice = [
    { symbol: "AAPL", quantity: "1" },
    { symbol: "aapl", notes: "second" },
  ];

  it("is a conflict the second time", () => {
    expect(outcomes(plan(twice))).toEqual(["created", "conflict"]);
  });

  it("is skipped the second time by skip", () => {
    expect(outcomes(plan(twice, { onConflict: "skip" }))).toEqual(["created", "skipped"]);
  });

  it("becomes one row with two versions and two events by update", () => {
    const planned = plan(twice, { onConflict: "update" });
    const changes = planned.flatMap((addition) => ("change" in addition ? [addition.change] : []));
    const mutation = toMutation(aMoment(), changes, undefined);
    expect(outcomes(planned)).toEqual(["created", "updated"]);
    expect(mutation.inserts).toMatchObject([{ symbol: "AAPL", quantity: "1", notes: "second", version: 2 }]);
    expect(mutation.updates).toEqual([]);
    expect(mutation.events).toMatchObject([
      { action: "add", version: 1, before: null },
      { action: "update", version: 2, before: { notes: null }, after: { notes: "second" } },
    ]);
  });

  it("restores once and updates what it restored", () => {
    const trashed = aRow({ symbol: "AAPL" }, { version: 4, deletedAt: "2026-11-01T00:00:00.000Z" });
    const planned = plan(twice, { rows: [trashed], onConflict: "update" });
    const changes = planned.flatMap((addition) => ("change" in addition ? [addition.change] : []));
    expect(outcomes(planned)).toEqual(["restored", "updated"]);
    expect(toMutation(aMoment(), changes, undefined).updates).toMatchObject([{ row: { version: 6 }, fromVersion: 4 }]);
  });
});

it("an item that could not be read is invalid and does not hold up the others", () => {
  const planned = planAdditions(
    aMoment(),
    [{ error: "symbol: use 1 to 32 letters, digits or . - ^ = /" }, { draft: StockDraft.parse({ symbol: "AAPL" }) }],
    { rows: [], liveCount: 0, trashCount: 0 },
    "error",
  );
  expect(outcomes(planned)).toEqual(["invalid", "created"]);
});
