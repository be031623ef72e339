/** Where the header of a table is: banks write a title, an account and a date above it. */
import { describe, expect, it } from "vitest";
import type { ImportChoices } from "../../../../src/ui/stocks/import/read/import-choices.ts";
import { type ImportReading, readImport } from "../../../../src/ui/stocks/import/read/read-import.ts";

const readTable = (text: string, choices?: ImportChoices): Extract<ImportReading, { kind: "table" }> => {
  const reading = readImport(text, "en-US", choices);
  if (reading.kind !== "table") throw new Error(`Read as ${JSON.stringify(reading)}`);
  return reading;
};

const BANK = [
  "Depotübersicht",
  "Depotnummer;123456789",
  "Währung;EUR",
  "Stand:;24.11.2026",
  "",
  "ISIN;Bezeichnung;Symbol;Stück;Einstandskurs;Währung",
  "DE0007164600;SAP SE;SAP;10;120,50;EUR",
  "US0378331005;Apple;AAPL;5;150,00;EUR",
].join("\n");

describe("a table below other lines", () => {
  it("is read from its header on, and says how many lines are above it", () => {
    const { delimiter, linesAbove, rows } = readTable(BANK);
    expect([delimiter, linesAbove]).toEqual([";", 5]);
    expect(rows.map((row) => (row.kind === "draft" ? row.draft.symbol : row.kind === "skipped" && row.reason))).toEqual(
      [
        ...["Above the header.", "Above the header.", "Above the header.", "Above the header.", "Empty line."],
        ...["Header.", "SAP", "AAPL"],
      ],
    );
    expect(rows[6]).toMatchObject({ line: 7, draft: { quantity: "10", avgCost: "120.5", currency: "EUR" } });
  });

  it.each([
    ["commas", "Portfolio report, 24 Nov 2026\nAccount,U123\n\nSymbol,Quantity,Cost per share\nAAPL,5,150", 3],
    ["a title with the names of two columns", "Name;Currency\nMy depot;EUR\nSymbol;Quantity;Avg cost\nA;5;1", 2],
    ["a header without a symbol", "My report\nISIN;Name;Quantity\nUS0378331005;Apple;5", 1],
  ])("is found with %s", (_, text, above) => {
    expect(readTable(text).linesAbove).toBe(above);
  });

  it("is read from the first line where the person says that there is no header", () => {
    const { linesAbove, rows } = readTable(BANK, { hasHeader: false });
    expect([linesAbove, rows.some((row) => row.kind === "skipped" && row.reason === "Header.")]).toEqual([0, false]);
  });
});

it.each([
  ["its first line", "Symbol,Type,Notes\nAAPL,Stock,Name\nMSFT,Fund,x"],
  ["no line", "AAPL,10,180\nMSFT,5,Stock"],
  ["an empty line first", "\nSymbol,Quantity\nAAPL,10"],
])("a table with a header in %s has nothing above it", (_, text) => {
  expect(readTable(text).linesAbove).toBe(0);
});
