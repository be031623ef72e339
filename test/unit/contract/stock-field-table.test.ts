/** The table of stock fields: whatever reads it has all of them, and what files and the wire say stays as it was. */
import { expect, it } from "vitest";
import { Stock } from "../../../src/contract/stocks/stock.ts";
import {
  FORM_FIELDS,
  isFormField,
  NULLABLE_FIELDS,
  STOCK_FIELD_KEYS,
} from "../../../src/contract/stocks/stock-field-keys.ts";
import { FORM_GROUPS, fieldSpec } from "../../../src/contract/stocks/stock-fields.ts";
import { SortField } from "../../../src/contract/stocks/stock-filter.ts";
import { SORT_FIELDS, sortedField } from "../../../src/contract/stocks/stock-sorts.ts";
import { StockPatch, StockValues } from "../../../src/contract/stocks/stock-values.ts";
import { describeAction } from "../../../src/ui/agent/permission/field-changes.ts";
import { EMPTY_FORM, formOf, patchOf } from "../../../src/ui/stocks/form/form-values.ts";
import { readingOf } from "../../../src/ui/stocks/form/read-form.ts";
import { columnLabel, fieldOfHeader, foldHeader } from "../../../src/ui/stocks/import/read/import-field.ts";
import { tableOrigin } from "../../../src/ui/stocks/import/read/table-columns.ts";
import { stockOf } from "../ui/stocks/form/stock-of.ts";

/** The header of the first release's export. */
const FIRST_HEADER =
  "Symbol,Name,Exchange,ISIN,Type,Currency,Quantity,Average cost,Watched,Low target,High target,Last price,Price time,Price source,Sector,Tags,Notes";

it("has the fields of the wire, in their order", () => {
  expect(STOCK_FIELD_KEYS).toEqual(StockValues.keyof().options);
  expect(StockPatch.keyof().options.toSorted()).toEqual(STOCK_FIELD_KEYS.toSorted());
});

it("says which fields of the wire can be null", () => {
  const nullable = STOCK_FIELD_KEYS.filter((field) => StockValues.shape[field].safeParse(null).success);
  expect(NULLABLE_FIELDS).toEqual(nullable);
});

it("puts every field that a person fills in into exactly one group of the form", () => {
  expect(FORM_FIELDS.toSorted()).toEqual(STOCK_FIELD_KEYS.filter(isFormField).toSorted());
  expect(FORM_FIELDS).toEqual(FORM_GROUPS.flatMap(({ fields }) => fields));
});

it("gives each field a place in the form's values, readings and patch", () => {
  const base = readingOf(stockOf());
  expect(Object.keys(EMPTY_FORM).toSorted()).toEqual(FORM_FIELDS.toSorted());
  expect(Object.keys(formOf(stockOf(), "en-US")).toSorted()).toEqual(FORM_FIELDS.toSorted());
  expect(Object.keys(base).toSorted()).toEqual(FORM_FIELDS.toSorted());
  // Any change of any field is sent.
  const sent = FORM_FIELDS.map((field) => Object.keys(patchOf({ ...base, [field]: "another" }, base) ?? {}));
  expect(sent).toEqual(FORM_FIELDS.map((field) => [field]));
});

it("gives decimals a unit and a range", () => {
  const incomplete = STOCK_FIELD_KEYS.map(fieldSpec).filter(
    ({ kind, unit, range }) => kind === "decimal" && (unit === undefined || range === undefined),
  );
  expect(incomplete).toEqual([]);
});

it("names no two columns alike, and finds each by its name, its label and its spellings", () => {
  const headers = STOCK_FIELD_KEYS.flatMap((field) => [
    ...new Set([field, columnLabel(field), ...fieldSpec(field).spellings.split(",")].map(foldHeader)),
  ]);
  expect(headers.length).toBe(new Set(headers).size);
  const found = STOCK_FIELD_KEYS.map((field) => [fieldOfHeader(field), fieldOfHeader(columnLabel(field))]);
  expect(found).toEqual(STOCK_FIELD_KEYS.map((field) => [field, field]));
});

it("recognizes our own exports, today's and those from before a field was added", () => {
  const today = STOCK_FIELD_KEYS.map(columnLabel);
  expect([tableOrigin(today), tableOrigin(FIRST_HEADER.split(",")), tableOrigin(today.slice(1))]).toEqual([
    "own",
    "own",
    "table",
  ]);
});

it("labels the fields of a permission card", () => {
  const input = Object.fromEntries(STOCK_FIELD_KEYS.map((field) => [field, "x"]));
  const [group] = describeAction("add-stock", input, undefined);
  expect(group?.changes.map(({ label }) => label)).toEqual([
    ...["Symbol", "Name", "Exchange", "ISIN", "Asset type", "Currency", "Quantity", "Avg. cost", "Watched"],
    ...["Buy target", "Sell target", "Last price", "Last price at", "Last price source", "Sector", "Tags", "Notes"],
  ]);
});

it("sorts by fields of the record, in the order of the wire", () => {
  expect(SORT_FIELDS.filter((sort) => !(sortedField(sort) in Stock.shape))).toEqual([]);
  expect(SortField.safeParse("colour").error?.issues[0]?.message).toBe(
    "use symbol, name, quantity, avgCost, lastPrice, marketValue, gainPct, dayChangePct, distanceToTarget, updatedAt or createdAt",
  );
});
