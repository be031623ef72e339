/** A symbol with its market's ending and the same symbol without it are one stock (decision 0130). */
import { describe, expect, it } from "vitest";
import { applyRenames, findRenames } from "../../../../src/ui/stocks/import/as-listed.ts";
import type { ImportChoices } from "../../../../src/ui/stocks/import/read/import-choices.ts";
import { readImport } from "../../../../src/ui/stocks/import/read/read-import.ts";
import { isWithoutCurrency } from "../../../../src/ui/stocks/import/review-step.tsx";
import { stockOf } from "./form/stock-of.ts";

type Listed = readonly [symbol: string, exchange: string | null, currency?: string];

const read = (text: string, listed: readonly Listed[], choices: ImportChoices = {}) => {
  const reading = readImport(text, "en-US", choices);
  if (reading.kind === "refused") throw new Error(reading.problem);
  const stocks = listed.map(([symbol, exchange, currency = "USD"]) => stockOf({ symbol, exchange, currency }));
  return applyRenames(reading, findRenames(reading, stocks, choices.london)).rows;
};

const rowsOf = (text: string, listed: readonly Listed[] = []) =>
  read(text, listed).flatMap((row) =>
    row.kind === "draft" ? [`${row.draft.symbol}: ${row.notes.at(-1)}`] : row.kind === "duplicate" ? [row.kind] : [],
  );

describe("a symbol of the list", () => {
  it.each([
    ["SAP.DE 1", ["SAP", "XETR", "EUR"], "SAP: SAP.DE is SAP in your list."],
    ["VOD.L 1", ["VOD", "XLON", "GBX"], "VOD: VOD.L is VOD in your list."],
    ["XETR:SAP 1", ["SAP.DE", "XETR", "EUR"], "SAP.DE: SAP is SAP.DE in your list."],
    ["SAP.DE 1", ["SAP.DE", "XETR", "EUR"], "SAP.DE: Guessed from .DE: XETR, EUR."],
    ["SAP.DE 1", ["SAP", "XFRA"], "SAP.DE: Guessed from .DE: XETR, EUR."],
    ["SAP.DE 1", ["SAP", null], "SAP.DE: Guessed from .DE: XETR, EUR."],
  ] as const)("of %s, listed as %j: %s", (text, listed, row) => {
    expect(rowsOf(text, [listed])).toEqual([row]);
  });

  it("is kept where the list has both spellings", () => {
    const both = [["SAP", "XETR", "EUR"] as const, ["SAP.DE", "XETR", "EUR"] as const];
    expect(rowsOf("SAP.DE 1", both)).toEqual(["SAP.DE: Guessed from .DE: XETR, EUR."]);
  });
});

describe("a line that names no market", () => {
  it.each<[string, Listed[], string]>([
    ["is the one stock of that symbol", [["AAPL", "XNAS"]], "AAPL: Matched to the one on XNAS."],
    ["is not one in another currency", [["AAPL", "XETR", "EUR"]], "AAPL: undefined"],
    [
      "is none of two",
      [
        ["AAPL", "XNAS"],
        ["AAPL", "BATS"],
      ],
      "AAPL: undefined",
    ],
    [
      "is the one that names none either",
      [
        ["AAPL", null],
        ["AAPL", "XNAS"],
      ],
      "AAPL: undefined",
    ],
  ])("%s: %j", (_, listed, row) => {
    expect(rowsOf("Symbol,Quantity\nAAPL,2", listed)).toEqual([row]);
  });

  it("keeps its market's emptiness in an export of our own", () => {
    expect(rowsOf('[{"symbol":"AAPL"}]', [["AAPL", "XNAS"]])).toEqual(["AAPL: undefined"]);
  });
});

it("two lines of a file that name one stock both ways are joined, but not in an export of our own", () => {
  expect(rowsOf("Symbol,Exchange\nSAP,XETR\nSAP.DE,")).toEqual(["SAP: Guessed from XETR: EUR.", "duplicate"]);
  expect(rowsOf('[{"symbol":"SAP","exchange":"XETR"},{"symbol":"SAP.DE","exchange":"XETR"}]', [])).toHaveLength(2);
});

describe("lines that the list makes one stock", () => {
  const text = "Symbol,Exchange,Quantity\nAAPL,,10\nAAPL,XNAS,5\nAAPL,XNAS,1";

  it("are duplicates: none overwrites another", () => {
    expect(read(text, [["AAPL", "XNAS"]]).slice(1)).toMatchObject([
      { kind: "draft", draft: { exchange: "XNAS", quantity: "10" } },
      { kind: "duplicate", ofLine: 2 },
      { kind: "duplicate", ofLine: 3 },
    ]);
  });

  it("are combined where the person wants that", () => {
    expect(read(text, [["AAPL", "XNAS"]], { lots: "merge" }).slice(1)).toMatchObject([
      {
        ...{ kind: "draft", draft: { exchange: "XNAS", quantity: "16" } },
        notes: ["Matched to the one on XNAS.", "3 lines combined."],
      },
      { kind: "merged", intoLine: 2 },
      { kind: "merged", intoLine: 3 },
    ]);
  });
});

describe("a guessed currency", () => {
  const vodafone = (text: string, listed: Listed, choices?: ImportChoices) =>
    read(text, [listed], choices).flatMap((row) =>
      row.kind === "draft" ? [[row.draft.currency, row.notes.at(-1)]] : [],
    );

  it.each([
    ["VOD.L 10 @ 0.7", ["VOD.L", "XLON", "GBP"]],
    ["VOD.L 10 @ 0.7", ["VOD", "XLON", "GBP"]],
    ["Symbol,Quantity\nVOD.L,10", ["VOD.L", "XLON", "GBP"]],
  ] as const)("yields to the one of the list: %j, listed as %j", (text, listed) => {
    expect(vodafone(text, listed)).toEqual([["GBP", "Kept in GBP, as in your list."]]);
  });

  it.each<[string, ImportChoices]>([
    ["VOD.L 10 @ 0.7", { london: "GBX" }],
    ["Symbol,Quantity,Average cost (GBX)\nVOD.L,10,70", {}],
    ["Symbol,Quantity,Currency\nVOD.L,10,GBX", {}],
  ])("does not where the file or the person names it: %j, %j", (text, choices) => {
    expect(vodafone(text, ["VOD.L", "XLON", "GBP"], choices).map(([currency]) => currency)).toEqual(["GBX"]);
  });
});

describe("no currency", () => {
  const santander = (text: string, currency: string, choices?: ImportChoices) =>
    read(text, [["SAN", null, currency]], choices).flatMap((row) =>
      row.kind === "draft" ? [[row.draft.currency, ...row.notes]] : [],
    );
  const table = "Symbol,Quantity,Average cost\nSAN,20,45";

  it.each([table, "SAN 20 @ 45"])("is the list's, in which the amounts would be: %j", (text) => {
    expect(santander(text, "EUR")).toEqual([["EUR", "Kept in EUR, as in your list."]]);
  });

  it("stays none where the list's is the usual one, or the person has chosen another", () => {
    expect(santander(table, "USD")).toEqual([[undefined]]);
    expect(santander(table, "EUR", { currency: "CHF" })).toEqual([["CHF"]]);
  });

  it("is told of where any stock is read in the usual one", () => {
    const told = (text: string): boolean => {
      const reading = readImport(text, "en-US");
      if (reading.kind === "refused") throw new Error(reading.problem);
      const listed = [stockOf({ symbol: "SAN", exchange: null, currency: "EUR" })];
      return isWithoutCurrency(applyRenames(reading, findRenames(reading, listed)), "USD");
    };
    expect([told(table), told(`${table}\nAAPL,1,180`)]).toEqual([false, true]);
  });
});
