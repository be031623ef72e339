/** What a request shows of fields that are cleared and have a default: what is written then (`actions/merge-values`). */
import { expect, it } from "vitest";
import { describeAction } from "../../../../../src/ui/agent/permission/field-changes.ts";

const ID = "0198f7a0-0000-7000-8000-000000000001";

it.each([
  [{ watched: null }, "yes"],
  [{ watched: null, quantity: "2" }, "no"],
  [{ name: null }, "A"],
  [{ assetType: null }, "stock"],
  [{ currency: null }, "USD"],
  [{ lastPriceAt: null, lastPrice: "5" }, "now"],
  [{ lastPriceSource: null, lastPrice: "5" }, "manual"],
  [{ notes: null }, "none"],
])("an addition shows the default that %j gives", (values, is) => {
  const [, group] = describeAction("add-stock", { items: [{ symbol: "A", ...values }], onConflict: "skip" }, undefined);
  expect(group?.changes[0]?.after).toBe(is);
  const [alone] = describeAction("add-stock", { ...values, symbol: "A" }, undefined);
  expect(alone?.changes[0]?.after).toBe(is);
});

const priced = { quantity: null, lastPrice: "5", lastPriceSource: "twelvedata" };

it.each([
  [{ watched: null }, { watched: false, quantity: null }, ["no", "yes"]],
  [{ watched: null }, { watched: true, quantity: "2" }, ["yes", "no"]],
  [{ watched: null, quantity: "2" }, { watched: true, quantity: null }, ["yes", "no"]],
  [{ name: null }, { symbol: "AAPL", name: "Apple" }, ["Apple", "AAPL"]],
  [{ name: null, symbol: "TSLA" }, { symbol: "AAPL", name: "Apple" }, ["Apple", "TSLA"]],
  [{ assetType: null }, { assetType: "fund" }, ["fund", "stock"]],
  [{ lastPriceAt: null }, { ...priced, lastPriceAt: "2026-11-20" }, ["2026-11-20", "now"]],
  [{ lastPriceSource: null }, priced, ["twelvedata", "manual"]],
  [{ lastPriceSource: null, lastPrice: null }, priced, ["twelvedata", "none"]],
  [{ watched: null }, {}, [undefined, "none"]],
])("an update shows the default that %j gives %j again", (set, before, [was, is]) => {
  const [group] = describeAction("update-stock", { id: ID, set }, before);
  expect(group?.changes[0]).toMatchObject({ before: was, after: is });
});
