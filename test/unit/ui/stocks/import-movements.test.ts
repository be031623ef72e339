/** Files that say what was done, and not what is held: they are read in known words, or not at all (decision 0233). */
import { describe, expect, it } from "vitest";
import { applyRenames, findRenames } from "../../../../src/ui/stocks/import/as-listed.ts";
import { readImport } from "../../../../src/ui/stocks/import/read/read-import.ts";
import { stockOf } from "./form/stock-of.ts";

const outcomes = (text: string): unknown[] => {
  const reading = readImport(text, "en-US");
  if (reading.kind !== "table") throw new Error(`Read as ${reading.kind}.`);
  return reading.rows.slice(1).flatMap<unknown>((row) => {
    if (row.kind === "draft") return [`${row.draft.symbol} ${row.draft.quantity ?? "-"}`];
    if (row.kind === "problem") return [row.problem];
    return row.kind === "skipped" ? [row.reason] : [];
  });
};

const MISSING = "The symbol is missing on this line.";

const NO_TRADE = "Neither a purchase nor a sale.";

const said = (words: string) => expect.stringContaining(`is neither a purchase nor a sale: “${words}”`);

describe("by their ISINs alone, what is not read as held", () => {
  it.each([
    ["a sale in an unknown word", "Handelsdag;Transaktionstype;ISIN;Antal;Kurs\n2026-02-05;SOLGT;US0378331005;4;120"],
    ["a sign for a sale", "Data;Segno;ISIN;Quantità;Prezzo\n2026-02-05;V;IT0003132476;100;14"],
    [
      "dividends",
      "Ex-Tag;Zahltag;ISIN;Stück\n2026-02-05;2026-02-07;US0378331005;4\n2026-03-05;2026-03-07;US5949181045;4",
    ],
    ["closed positions", "ISIN;Stück;Kaufkurs;Verkaufskurs\nDE0007164600;10;120;130"],
    ["an amount in the account's currency", "ISIN;Antal;Kurs;Belopp;Valuta\nUS0378331005;10;220,5;-22800;SEK"],
  ])("%s", (_, file) => {
    expect(new Set(outcomes(file))).toEqual(new Set([MISSING]));
  });

  it("an order's id in another form than Degiro's", () => {
    const file = `Datum;Order ID;ISIN;Naam;K/V;Aantal;Koers
2026-02-05;b;US0378331005;Apple;V;4;120
2026-01-05;a;US0378331005;Apple;K;10;100`;
    expect(outcomes(file)).toEqual([MISSING, MISSING]);
  });

  it("but what is held may have the days on which it was bought, or its price was made", () => {
    const file = `ISIN;Stück;Kaufdatum;Kurs;Kurszeit
DE0007164600;10;05.01.2026;180;06.02.2026 17:35
US0378331005;4;06.01.2026;170;05.02.2026 22:00`;
    expect(outcomes(file)).toEqual(["DE0007164600 10", "US0378331005 4"]);
  });
});

describe("what may have moved shares is a problem of its stock", () => {
  const file = (line: string) => `Date,Action,Symbol,Quantity,Price\n2026-02-05,${line}\n2026-01-05,Buy,AAPL,10,150`;
  it("a transfer without a quantity", () => {
    expect(outcomes(file("Transfer Out,AAPL,,"))).toEqual([said("Transfer Out"), said("Transfer Out")]);
    expect(outcomes(file("Transfer Out,AAPL,-3,\n2026-02-05,Transfer In,AAPL,3,"))).toEqual([
      NO_TRADE,
      NO_TRADE,
      "AAPL 10",
    ]);
  });

  it("income that became shares", () => {
    const words = "Wiederanlage Ausschüttung";
    expect(outcomes(file(`${words},AAPL,2,150`))).toEqual([said(words), said(words)]);
    expect(outcomes(file("Ausschüttung,AAPL,,"))).toEqual([NO_TRADE, "AAPL 10"]);
  });

  it.each([
    "Cash Merger Adj",
    "Cash/Stock Merger",
    "Final Cash Liquid Adj",
    "MERGER - CASH",
    "Stock Dividend",
    "Stock Div Dist",
  ])("%s", (words) => {
    expect(outcomes(file(`${words},AAPL,-10,`))).toEqual([said(words), said(words)]);
  });

  it("and cash for a fraction is not", () => {
    expect(outcomes(file("Cash In Lieu,AAPL,,"))).toEqual([NO_TRADE, "AAPL 10"]);
  });
});

describe("in a list with columns of what was paid and received, as interactive investor's", () => {
  const HEADER = "Date,Settlement Date,Symbol,Sedol,Quantity,Price,Description,Reference,Debit,Credit,Running Balance";
  const sale = "05/03/2026,07/03/2026,VUSA,B7NLJN4,400,60,Vanguard S&P 500,2,n/a,24000,25000";
  const purchase = "15/01/2026,17/01/2026,VUSA,B7NLJN4,1000,50,Vanguard S&P 500,1,50000,n/a,1000";
  const more = (line: string) => outcomes([HEADER, line, sale, purchase].join("\n"));

  it("those say what was bought and what was sold", () => {
    expect(outcomes([HEADER, sale, purchase].join("\n"))).toEqual(["VUSA 600"]);
    expect(outcomes([HEADER, purchase].join("\n"))).toEqual(["VUSA 1000"]);
  });

  it("a line without shares moved money alone", () => {
    const dividend = "06/03/2026,06/03/2026,VUSA,n/a,n/a,n/a,Div VUSA,3,n/a,12,25012";
    expect(more(dividend)).toEqual([NO_TRADE, "VUSA 600"]);
    expect(more(dividend.replaceAll("VUSA", "n/a"))).toEqual([NO_TRADE, "VUSA 600"]);
  });

  it.each([
    ["without a price", "06/03/2026,06/03/2026,VUSA,B7NLJN4,600,n/a,Vanguard S&P 500,3,n/a,12,25012"],
    ["with neither", "06/03/2026,06/03/2026,VUSA,B7NLJN4,600,1,Vanguard S&P 500,3,n/a,,25012"],
  ])("one of shares %s is a problem of its stock", (_, line) => {
    expect(more(line)).toEqual(Array(3).fill(said("")));
  });
});

it("columns of what was paid and received are not asked where quantities have signs", () => {
  const lines = ["Date,Symbol,Quantity,Debit,Credit", "2026-01-05,AAPL,10,1500,", "2026-02-05,AAPL,-4,,800"];
  expect(outcomes(lines.join("\n"))).toEqual(["AAPL 6"]);
});

describe("a bond without a symbol", () => {
  const held = (name: string) => outcomes(`Name,ISIN,Quantity\n${name},DE0001102481,1000`);

  it.each(["GERMANY 0% 15AG31", "US TREASURY 4 1/4% 2031", "BUNDANL.V.16/26", "BTP ITALIA 2030"])("is %s", (name) => {
    expect(held(name)).toEqual([expect.stringContaining("A bond is not a stock")]);
  });

  it.each(["Global Bond UCITS ETF", "Bitcoin ETP 1.49%", "Bundle Corp", "3M Co"])("is not %s", (name) => {
    expect(held(name)).toEqual(["DE0001102481 1000"]);
  });
});

it("a stock that the list has under its ISIN, with a market, is found by it", () => {
  const isin = "US0378331005";
  const listed = [null, isin].map((own) => stockOf({ symbol: isin, exchange: "XETR", currency: "EUR", isin: own }));
  for (const stock of listed) {
    const reading = readImport(`Symbol,Quantity,Currency\n${isin},2,EUR`, "en-US");
    if (reading.kind === "refused") throw new Error(reading.problem);
    const { rows } = applyRenames(reading, findRenames(reading, [stock]));
    expect(rows.find((row) => row.kind === "draft")).toMatchObject({ draft: { symbol: isin, exchange: "XETR" } });
  }
});
