/** An import as inputs of add-stock, and the answers back at their rows. */
import { describe, expect, it } from "vitest";
import { AddStockInput } from "../../../../src/contract/stocks/add-stock.ts";
import type { StockDraft } from "../../../../src/contract/stocks/stock-values.ts";
import { ApiError } from "../../../../src/ui/api/api-error.ts";
import { planBatches, sendBatches } from "../../../../src/ui/stocks/import/import-batches.ts";
import { countOutcomes, takeAnswer, takeFailure } from "../../../../src/ui/stocks/import/import-results.ts";
import type { ImportRow } from "../../../../src/ui/stocks/import/read/import-row.ts";

const row = (draft: StockDraft): ImportRow => ({ line: 1, lastLine: 1, source: "", kind: "draft", draft, notes: [] });
const header: ImportRow = { line: 1, lastLine: 1, source: "", kind: "skipped", reason: "Header." };
const many = (count: number): ImportRow[] => Array.from({ length: count }, (_, at) => row({ symbol: `S${at}` }));

const OPTIONS = { onConflict: "skip", dryRun: false, importId: "7" } as const;

describe("batches", () => {
  it("have at most 100 items, in order, with a key each", () => {
    const batches = planBatches([header, ...many(205)], OPTIONS);
    expect(
      batches.map(({ rowIndexes, input }) => [
        rowIndexes[0],
        rowIndexes.at(-1),
        input.items.length,
        input.idempotencyKey,
      ]),
    ).toEqual([
      [1, 100, 100, "import-7-skip-1"],
      [101, 200, 100, "import-7-skip-2"],
      [201, 205, 5, "import-7-skip-3"],
    ]);
  });

  it("stay below the size of a body", () => {
    const notes = "€".repeat(4_000);
    const batches = planBatches(
      Array.from({ length: 100 }, (_, at) => row({ symbol: `S${at}`, notes })),
      OPTIONS,
    );
    expect(batches.map(({ input }) => input.items.length)).toEqual([74, 26]);
  });

  it("are what add-stock takes", () => {
    const [batch] = planBatches(many(2), OPTIONS);
    expect(AddStockInput.parse(batch?.input)).toEqual({
      items: [{ symbol: "S0" }, { symbol: "S1" }],
      onConflict: "skip",
      dryRun: false,
      idempotencyKey: "import-7-skip-1",
    });
  });

  it("have no key in a dry run, which writes nothing", () => {
    expect(planBatches(many(1), { ...OPTIONS, dryRun: true })).toEqual([
      { rowIndexes: [0], input: { items: [{ symbol: "S0" }], onConflict: "skip", dryRun: true } },
    ]);
  });
});

describe("sending", () => {
  it("ends as failed when an answer cannot be taken in, and the answer counts", async () => {
    const batches = planBatches(many(2), OPTIONS);
    const taken: number[] = [];
    const end = await sendBatches(
      batches,
      { next: 0, results: new Map() },
      {
        send: async () => ({ results: [] }),
        isStopped: () => false,
        onProgress: ({ next }) => {
          taken.push(next);
          throw new Error("The list is gone.");
        },
      },
    );
    expect([end, taken]).toEqual([{ kind: "failed", problem: "The list is gone.", isUnsure: false }, [1]]);
  });

  it.each([
    [0, true],
    [401, false],
    [429, false],
    [503, true],
  ])("fails with the status %d: the list may have been changed all the same: %s", async (status, isUnsure) => {
    const progress = { next: 0, results: new Map() };
    const end = await sendBatches(planBatches(many(2), OPTIONS), progress, {
      send: () => Promise.reject(new ApiError(status, "Not now.")),
      isStopped: () => false,
      onProgress: () => {},
    });
    expect(end).toEqual({ kind: "failed", problem: "Not now.", isUnsure });
  });
});

describe("results", () => {
  const [first, second] = planBatches([header, ...many(103)], OPTIONS);
  if (first === undefined || second === undefined) throw new Error("Two batches are expected.");

  it("are at the rows they are about; what the answer leaves out is unsent", () => {
    const results = takeAnswer(new Map(), second, [
      { index: 1, outcome: "invalid", error: "isin: use null" },
      { index: 0, outcome: "created" },
    ]);
    expect([...results]).toEqual([
      [101, { outcome: "created" }],
      [102, { outcome: "invalid", error: "isin: use null" }],
      [103, { outcome: "unsent", error: "The server did not say what happened to it." }],
    ]);
  });

  it("of a batch that failed are unsent until it is tried again", () => {
    const failed = takeFailure(new Map(), second, "The agent is offline.");
    const again = takeAnswer(failed, second, [
      { index: 0, outcome: "created" },
      { index: 1, outcome: "created" },
      { index: 2, outcome: "conflict", error: "S102 is already in your list." },
    ]);
    expect([countOutcomes(failed).unsent, countOutcomes(again)]).toEqual([
      3,
      { created: 2, restored: 0, updated: 0, skipped: 0, conflict: 1, invalid: 0, unsent: 0 },
    ]);
  });
});
