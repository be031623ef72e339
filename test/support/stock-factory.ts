/** Stocks for tests of pure rules: rows as a write would make them. */
import { freshValues } from "../../src/actions/merge-values.ts";
import { newStock, type WriteMoment } from "../../src/actions/write-row.ts";
import { createIdSource, OwnerEmail } from "../../src/contract/ids.ts";
import { StockDraft } from "../../src/contract/stocks/stock-values.ts";
import type { StockRow } from "../../src/db/stock-tables.ts";

/** The time of every moment below. */
export const NOW = "2026-11-20T12:00:00.000Z";

const newId = createIdSource(() => Date.parse(NOW));

/** A write of Ann's on the screen. */
export const aMoment = (overrides: Partial<WriteMoment> = {}): WriteMoment => ({
  ownerEmail: OwnerEmail.parse("ann@example.com"),
  via: "screen",
  runId: null,
  nowMs: Date.parse(NOW),
  at: NOW,
  priceSource: "manual",
  mutationId: newId(),
  newId,
  ...overrides,
});

/** The row of a stock that was added with these fields, as `add-stock` takes them. */
export const aRow = (
  fields: { symbol: string } & Record<string, unknown>,
  columns: Partial<StockRow> = {},
): StockRow => {
  const moment = aMoment();
  return { ...newStock(moment, freshValues(StockDraft.parse(fields), moment)), ...columns };
};
