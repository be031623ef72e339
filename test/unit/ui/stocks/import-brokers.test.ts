/** What brokers write in files of purchases and sales: their columns, their words for a trade and their dates. */
import { describe, expect, it } from "vitest";
import { readImport } from "../../../../src/ui/stocks/import/read/read-import.ts";

/** What each line becomes, without the header and what is combined into another line. */
const lines = (text: string): unknown[] => {
  const reading = readImport(text, "en-US");
  if (reading.kind === "refused") throw new Error(reading.problem);
  return reading.rows.slice(1).flatMap<unknown>((row) => {
    if (row.kind === "draft") return [row.draft];
    if (row.kind === "problem") return [row.problem];
    return row.kind === "skipped" ? [row.reason] : row.kind === "duplicate" ? [`Duplicate of ${row.ofLine}`] : [];
  });
};

const HEADER = "Date,Symbol,Action,Quantity,Price";

const table = (...rows: readonly string[]): string => [HEADER, ...rows].join("\n");

const NO_TRADE = "Neither a purchase nor a sale.";

describe("the first word for a trade says what a line did, whatever names come behind it", () => {
  const fidelity = (...rows: readonly string[]): string =>
    ["Run Date,Action,Symbol,Description,Type,Price ($),Quantity", ...rows].join("\n");

  it("a purchase of a fund of short bonds is no sale", () => {
    const bought = "YOU BOUGHT ISHARES ULTRA SHORT-TERM BOND ACTIVE ETF (ICSH) (Cash)";
    const text = fidelity(
      `01/05/2026,"${bought}",ICSH,ISHARES ULTRA SHORT-TERM,Cash,50.72,985`,
      `01/06/2026,"${bought}",ICSH,ISHARES ULTRA SHORT-TERM,Cash,50.72,1`,
    );
    expect(lines(text)).toEqual([
      { symbol: "ICSH", name: "ISHARES ULTRA SHORT-TERM", currency: "USD", quantity: "986", avgCost: "50.72" },
    ]);
  });

  it.each([
    ["YOU BOUGHT PROSHARES SHORT S&P500", "12"],
    ["YOU BOUGHT SALESFORCE INC", "12"],
    ["YOU BOUGHT VENTAS INC", "12"],
    ["REINVESTMENT VANGUARD SHORT TERM BOND", "12"],
    ["YOU SOLD BEST BUY CO INC", "8"],
    ["Sell to cover a purchase", "8"],
    ["Sell Short", "8"],
    ["Short", "8"],
    ["SELLSTOCK", "8"],
    ["Sparplan-Verkauf", "8"],
    ["Verkaufsorder", "8"],
    ["Kaufauftrag", "12"],
    ["Savings plan execution", "12"],
    ["Dividend reinvestment", "12"],
  ])("%s", (words, quantity) => {
    const text = table("2026-01-05,A,Buy,10,5", `2026-02-05,A,"${words}",2,5`);
    expect(lines(text)).toEqual([{ symbol: "A", quantity, avgCost: "5" }]);
  });

  it.each([
    "Short Term Cap Gain",
    "DIVIDEND RECEIVED BEST BUY CO INC (BBY) (Cash)",
    "DIVIDEND RECEIVED VENTAS INC (VTR) (Cash)",
  ])("%s moves no shares", (words) => {
    const text = table("2026-01-05,A,Buy,10,5", `2026-02-05,A,"${words}",2,5`);
    expect(lines(text)).toEqual([{ symbol: "A", quantity: "10", avgCost: "5" }, NO_TRADE]);
  });

  it("the account that a line names at its end does not make money of shares", () => {
    const transfer = '2026-02-05,,"Electronic Funds Transfer Received (Cash)",0.00,';
    const text = table("2026-01-05,A,Buy,10,5", '2026-02-05,A,"DISTRIBUTION A INC (A) (Cash)",90,', transfer);
    expect(lines(text)[0]).toContain("Line 3 is neither a purchase nor a sale");
    expect(lines(text)[2]).toBe(NO_TRADE);
  });
});
