/** The rules between reading an import and showing it: choices, verdicts, and what is given back. */
import { describe, expect, it } from "vitest";
import { changeChoices, mapColumn } from "../../../../src/ui/stocks/import/column-mapping.tsx";
import { leftoverText } from "../../../../src/ui/stocks/import/leftover-text.ts";
import { readImport } from "../../../../src/ui/stocks/import/read/read-import.ts";
import { countLabels, judgeRows, leftRows, sayCounts } from "../../../../src/ui/stocks/import/row-verdict.ts";

const rowsOf = (text: string) => {
  const reading = readImport(text, "en-US");
  if (reading.kind === "refused") throw new Error(reading.problem);
  return reading.rows;
};

/** `unsent`: the rows that were not sent, by their place. */
const leftOf = (text: string, unsent: readonly number[] = []): string => {
  const rows = rowsOf(text);
  const results = new Map(unsent.map((index) => [index, { outcome: "unsent" }] as const));
  return leftoverText(text, rows, leftRows(judgeRows(rows, results, "import")));
};

describe("choices", () => {
  it("drop the columns' mapping when the table is split anew, and keep it otherwise", () => {
    const choices = { mapping: { 0: "symbol" }, currency: "EUR" } as const;
    expect([changeChoices(choices, { delimiter: ";" }), changeChoices(choices, { decimals: "comma" })]).toEqual([
      { currency: "EUR", delimiter: ";" },
      { currency: "EUR", decimals: "comma", mapping: { 0: "symbol" } },
    ]);
  });

  it("give a field to the column that was chosen last", () => {
    const choices = { mapping: { 0: "name", 2: "quantity" } } as const;
    expect(mapColumn(choices, 1, "quantity").mapping).toEqual({ 0: "name", 1: "quantity", 2: null });
  });

  it("leave out several columns", () => {
    expect(mapColumn({ mapping: { 0: null, 1: "name" } }, 1, null).mapping).toEqual({ 0: null, 1: null });
  });
});

describe("verdicts", () => {
  it("put what needs a look first, then follow the file", () => {
    const rows = rowsOf("Symbol,Quantity\nMSFT,1\nAAPL,2\nAAPL,3\nSAP,x\n");
    const judged = judgeRows(rows, new Map([[1, { outcome: "created" }] as const]), "import");
    expect(judged.map(({ row, verdict }) => [row.line, verdict.label])).toEqual([
      [5, "Problem"],
      [4, "Duplicate"],
      [2, "Added"],
      [3, "Waiting"],
      [1, "Left out"],
    ]);
    expect(judged[1]?.verdict.detail).toBe("Duplicate of line 3; skipped.");
  });

  it("are counted in words", () => {
    const judged = judgeRows(rowsOf("AAPL x\nMSFT y\nSAP"), new Map([[2, { outcome: "restored" }] as const]), "check");
    expect(countLabels(judged).map(({ count, words }) => `${count} ${words}`)).toEqual([
      "2 problems",
      "1 back from the trash",
    ]);
    expect(sayCounts(judged, "en-US")).toBe("3 lines: 2 problems, 1 back from the trash.");
  });
});

describe("what is left", () => {
  it("of a table comes with its header and its line breaks", () => {
    expect(leftOf('\ufeffSymbol,Quantity,Notes\r\nMSFT,1,\r\nSAP,x,"a\r\nb"\r\n')).toBe(
      'Symbol,Quantity,Notes\nSAP,x,"a\nb"',
    );
  });

  it("has each purchase and sale of what was not sent, in their order", () => {
    const head = "Symbol,Current Price,Trade Date,Purchase Price,Quantity,High Limit,Low Limit,Comment";
    const lots = [head, "AAPL,190,20240102,100,10,,,", "MSFT,400,20240102,300,1,,,", "AAPL,190,20250102,200,10,,,"];
    expect(rowsOf(lots.join("\n")).map(({ kind }) => kind)).toEqual(["skipped", "draft", "draft", "merged"]);
    expect(leftOf(lots.join("\n"), [1])).toBe([head, lots[1], lots[3]].join("\n"));
    expect(leftOf(lots.join("\n"), [2])).toBe([head, lots[2]].join("\n"));
    const trades = ["Date,Type,Symbol,Shares,Price", "2025-01-02,Sell,AAPL,6,200", "2024-01-02,Buy,AAPL,10,100"];
    expect(rowsOf(trades.join("\n")).map(({ kind }) => kind)).toEqual(["skipped", "merged", "draft"]);
    expect(leftOf(trades.join("\n"), [2])).toBe(trades.join("\n"));
  });

  it("of another table below comes under that table's own header", () => {
    const holdings = "Symbol,Quantity,Average cost\nAAPL,10,180\n";
    const others = "Symbol,Average cost,Quantity\nBMW,80,5";
    expect(leftOf(`${holdings}\n${others}`)).toBe(others);
    expect(rowsOf(others)[1]).toMatchObject({ draft: { symbol: "BMW", quantity: "5", avgCost: "80" } });
    const both = `${holdings.replace("10", "x")}\n${others}`;
    expect(leftOf(both)).toBe(both);
  });

  it("of a list comes with its sections, each before the first of its lines", () => {
    expect(leftOf("###Tech\nAAPL\nBAD!")).toBe("###Tech\nBAD!");
    const watched = "NASDAQ:MSFT,###Tech,NASDAQ:AAPL,NASDAQ:NVDA,###,NYSE:KO,###Banks,NYSE:C";
    expect(leftOf(watched, [0, 2, 3, 5])).toBe("NASDAQ:MSFT\n###Tech\nNASDAQ:AAPL\nNASDAQ:NVDA\n###\nNYSE:KO");
  });

  it("is whole where the preview cuts it", () => {
    const line = `SAP,x,${"n".repeat(900)}`;
    expect(leftOf(`Symbol,Quantity,Notes\nMSFT,1,\n${line}\n`)).toBe(`Symbol,Quantity,Notes\n${line}`);
  });

  it("of JSON can be imported again", () => {
    expect(JSON.parse(leftOf('[{"symbol":"MSFT"},{"symbol":"SAP","quantity":"x"}]'))).toEqual({
      stocks: [{ symbol: "SAP", quantity: "x" }],
    });
  });
});
