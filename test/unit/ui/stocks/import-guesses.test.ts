/** What an import makes of symbols that name their market by an ending, and of headers in other languages. */
import { describe, expect, it } from "vitest";
import type { ImportChoices } from "../../../../src/ui/stocks/import/read/import-choices.ts";
import { readImport } from "../../../../src/ui/stocks/import/read/read-import.ts";

const YAHOO = "Symbol,Current Price,Date,Purchase Price,Quantity,High Limit,Low Limit";

const draftsOf = (text: string, choices?: ImportChoices): unknown[] => {
  const reading = readImport(text, "en-US", choices);
  if (reading.kind === "refused") throw new Error(reading.problem);
  return reading.rows.flatMap<unknown>((row) => (row.kind === "draft" ? [{ ...row.draft, notes: row.notes }] : []));
};

const bought = (symbol: string, choices?: ImportChoices): unknown[] =>
  draftsOf(`${YAHOO}\n${symbol},,,100,2,,`, choices);

const holding = { quantity: "2", avgCost: "100" };

describe("the ending of a symbol in Yahoo's export", () => {
  it.each([
    ["SAP.DE", "XETR", "EUR"],
    ["ASML.AS", "XAMS", "EUR"],
    ["MC.PA", "XPAR", "EUR"],
    ["ENI.MI", "XMIL", "EUR"],
    ["7203.T", "XTKS", "JPY"],
    ["0700.HK", "XHKG", "HKD"],
    ["SHOP.TO", "XTSE", "CAD"],
    ["BHP.AX", "XASX", "AUD"],
    ["NESN.SW", "XSWX", "CHF"],
    ["NPN.JO", "XJSE", "ZAC"],
    ["VUSA.L", "XLON", "GBP"],
    ["CSPX.L", "XLON", "USD"],
  ])("%s is taken for %s in %s, and says so", (symbol, exchange, currency) => {
    const notes = [`Guessed from .${symbol.split(".")[1]}: ${exchange}, ${currency}.`];
    expect(bought(symbol)).toEqual([{ symbol, exchange, currency, ...holding, notes }]);
  });

  it("of London means pence, unless the person says pounds", () => {
    const notes = ["Guessed from .L: XLON, GBX (pence)."];
    expect(bought("VOD.L")).toEqual([{ symbol: "VOD.L", exchange: "XLON", currency: "GBX", ...holding, notes }]);
    expect(bought("VOD.L", { london: "GBP" })).toMatchObject([{ exchange: "XLON", currency: "GBP" }]);
    expect(bought("VUSA.L", { london: "GBX" })).toMatchObject([{ currency: "GBX" }]);
  });

  it.each(["AAPL", "BRK.B", "X.T", "^GSPC", "A.XYZ"])("of %s says nothing", (symbol) => {
    expect(bought(symbol)).toEqual([{ symbol, ...holding, notes: [] }]);
    expect(bought(symbol, { currency: "EUR" })).toMatchObject([{ currency: "EUR" }]);
  });

  it("still says its guess when purchases are combined", () => {
    expect(draftsOf(`${YAHOO}\nSAP.DE,,,100,1,,\nSAP.DE,,,200,1,,`)).toEqual([
      {
        ...{ symbol: "SAP.DE", exchange: "XETR", currency: "EUR", quantity: "2", avgCost: "150" },
        notes: ["Guessed from .DE: XETR, EUR.", "2 lines combined."],
      },
    ]);
  });
});

it("nothing is guessed where the row says it, nor in an export of our own", () => {
  expect(draftsOf("Symbol,Currency\nSAP.DE,USD")).toEqual([{ symbol: "SAP.DE", currency: "USD", notes: [] }]);
  expect(draftsOf('[{"symbol":"VOD","exchange":"XLON"}]')).toEqual([{ symbol: "VOD", exchange: "XLON", notes: [] }]);
  expect(draftsOf('[{"symbol":"SAP.DE"}]')).toEqual([{ symbol: "SAP.DE", notes: [] }]);
});

describe("a market without a currency", () => {
  const note = (exchange: string, currency: string) => [`Guessed from ${exchange}: ${currency}.`];
  const london = { symbol: "VOD", exchange: "XLON", ...holding };

  it.each([
    ["LON:VOD", "XLON", "GBX", "GBX (pence)"],
    ["LSE:VUSA", "XLON", "GBP", "GBP"],
    ["NSE:INFY", "XNSE", "INR", "INR"],
    ["ETR:SAP", "XETR", "EUR", "EUR"],
    ["XFRA:SAP.DE", "XFRA", "EUR", "EUR"],
    ["JSE:NPN", "XJSE", "ZAC", "ZAC"],
  ])("is in its own, as in a list or a sheet with %s", (listed, exchange, currency, words) => {
    const symbol = listed.split(":")[1];
    const stock = { symbol, exchange, currency, notes: note(exchange, words) };
    expect(draftsOf(`${listed} 2 @ 100`)).toEqual([{ ...stock, ...holding }]);
    expect(draftsOf(`Symbol,Quantity,Price paid\n${listed},2,100`)).toEqual([{ ...stock, ...holding }]);
  });

  it("can be in a column, and of London the person says the currency", () => {
    const text = "Symbol,Market,Quantity,Price paid\nVOD,LSE,2,100";
    expect(draftsOf(text)).toEqual([{ ...london, currency: "GBX", notes: note("XLON", "GBX (pence)") }]);
    expect(draftsOf(text, { london: "GBP" })).toMatchObject([{ currency: "GBP" }]);
  });

  it("is in the currency that the person chose for such rows, who knows the file", () => {
    const text = "Symbol,Exchange,Shares,Avg price\nVOD,LSE,2,100";
    for (const chosen of [draftsOf(text, { currency: "GBP" }), draftsOf("LON:VOD 2 @ 100", { currency: "GBP" })])
      expect(chosen).toEqual([{ ...london, currency: "GBP", notes: [] }]);
    expect(draftsOf(text, { currency: "GBX" })).toEqual([{ ...london, currency: "GBX", notes: [] }]);
    expect(bought("VOD.L", { currency: "GBP" })).toMatchObject([{ currency: "GBX" }]);
  });

  it("of America is in dollars or the person's choice, and the row's or the headers' currency comes first", () => {
    expect(draftsOf("NASDAQ:AAPL 2 @ 100")).toEqual([{ symbol: "AAPL", exchange: "XNAS", ...holding, notes: [] }]);
    expect(draftsOf("NASDAQ:AAPL 2 @ 100", { currency: "EUR" })).toMatchObject([{ currency: "EUR" }]);
    expect(draftsOf("Symbol,Currency\nLON:VOD,USD")).toMatchObject([{ currency: "USD", notes: [] }]);
    const text = "Symbol,Quantity,Price paid (EUR)\nLON:VOD,2,100";
    expect(draftsOf(text)).toEqual([{ ...london, currency: "EUR", notes: [] }]);
  });
});

describe("a pair that is quoted in a currency", () => {
  it.each([
    ["BTC-EUR", "EUR"],
    ["ETH-GBP", "GBP"],
    ["BTC-USD", "USD"],
    ["EURGBP=X", "GBP"],
  ])("%s is in %s, also where the person chose another for the rest", (symbol, currency) => {
    const notes = [`Guessed from ${symbol}: ${currency}.`];
    expect(bought(symbol, { currency: "CHF" })).toEqual([{ symbol, currency, ...holding, notes }]);
    expect(draftsOf(`${symbol} 2 @ 100`)).toEqual([{ symbol, currency, ...holding, notes }]);
  });

  it.each(["BRK-B", "BAC-PL", "JPY=X", "ES=F", "ABC-XYZ", "BRK-ALL", "GEF-TOP"])("is not %s", (symbol) => {
    expect(bought(symbol)).toEqual([{ symbol, ...holding, notes: [] }]);
  });

  it("comes after what the row or the headers say", () => {
    expect(draftsOf("Symbol,Currency\nBTC-EUR,USD")).toEqual([{ symbol: "BTC-EUR", currency: "USD", notes: [] }]);
    const text = "Symbol,Quantity,Price paid (CHF)\nBTC-EUR,2,100";
    expect(draftsOf(text)).toEqual([{ symbol: "BTC-EUR", currency: "CHF", ...holding, notes: [] }]);
  });
});

it("a list of symbols is read the same way", () => {
  expect(draftsOf("VOD.L 10 @ 70.5\nSAP.DE 1 USD")).toEqual([
    {
      ...{ symbol: "VOD.L", exchange: "XLON", currency: "GBX", quantity: "10", avgCost: "70.5" },
      notes: ["Guessed from .L: XLON, GBX (pence)."],
    },
    { symbol: "SAP.DE", quantity: "1", currency: "USD", notes: [] },
  ]);
});

describe("the header of what was paid", () => {
  it.each([
    "Kaufpreis",
    "Ø Kaufkurs",
    "Kaufpreis pro Stück",
    "Prix d'achat",
    "PRU",
    "Precio de compra",
    "Average purchase price",
  ])("can be %s", (header) => {
    expect(draftsOf(`Symbol;Stückzahl;${header}\nA;2;100`)).toEqual([{ symbol: "A", ...holding, notes: [] }]);
  });

  it.each([
    ["Kaufpreis (EUR)", "EUR"],
    ["Einkaufspreis in CHF", "CHF"],
    ["Prezzo medio [€]", "EUR"],
    ["Price paid (GBp)", "GBX"],
    ["Price paid (£);Last price (GBP)", "GBP"],
  ])("can say the currency: %s", (header, currency) => {
    const [stock] = draftsOf(`Symbol;Stückzahl;${header}\nA;2;100;`);
    expect(stock).toEqual({ symbol: "A", currency, ...holding, notes: [] });
  });

  it.each(["Kaufpreis (ABC)", "Kaufpreis (EUR);Kurs (USD)", "Kaufpreis;Marktwert (EUR)"])(
    "says none where it is no currency, two disagree, or the column is no price: %s",
    (header) => {
      expect(draftsOf(`Symbol;Stückzahl;${header}\nA;2;100;`)).toEqual([{ symbol: "A", ...holding, notes: [] }]);
    },
  );

  it("may have a million blanks before a word, which are read once", () => {
    const header = `Kaufpreis${" ".repeat(1_000_000)}x`;
    expect(draftsOf(`Symbol;Stückzahl;${header}\nA;2;100`)).toEqual([{ symbol: "A", quantity: "2", notes: [] }]);
  });

  it("comes before what is guessed of the ending, and after the row's own and the person's choice", () => {
    const text = "Symbol;Stück;Kaufpreis (EUR);Währung\nVOD.L;2;100;\nSAP.DE;2;100;\nA;2;100;USD";
    expect(draftsOf(text)).toEqual([
      { symbol: "VOD.L", currency: "EUR", ...holding, notes: [] },
      {
        ...{ symbol: "SAP.DE", exchange: "XETR", currency: "EUR" },
        ...holding,
        notes: ["Guessed from .DE: XETR, EUR."],
      },
      { symbol: "A", currency: "USD", ...holding, notes: [] },
    ]);
    expect(draftsOf("Symbol;Kurs (EUR)\nA;1", { currency: "CHF" })).toMatchObject([{ currency: "CHF" }]);
  });

  it.each(["Kaufpreis gesamt", "Kaufpreis (gesamt)", "Gain (%)"])("is not %s", (header) => {
    expect(draftsOf(`Symbol;Menge;${header}\nA;2;100`)).toEqual([{ symbol: "A", quantity: "2", notes: [] }]);
  });
});

it.each(["Price currency", "CurrencyPrimary"])("a column of currencies can be named %s", (header) => {
  expect(draftsOf(`Symbol,${header}\nA,CAD`)).toEqual([{ symbol: "A", currency: "CAD", notes: [] }]);
});
