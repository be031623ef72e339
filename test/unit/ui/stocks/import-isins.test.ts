/** Files of Europe's brokers, most of which name a stock by its ISIN and no symbol. */
import { describe, expect, it } from "vitest";
import { applyRenames, findRenames } from "../../../../src/ui/stocks/import/as-listed.ts";
import { readImport } from "../../../../src/ui/stocks/import/read/read-import.ts";
import { stockOf } from "./form/stock-of.ts";

/** What each line below the header becomes; a line that is combined into another one is left out. */
const lines = (text: string): unknown[] => {
  const reading = readImport(text, "en-US");
  if (reading.kind !== "table") throw new Error(`Read as ${reading.kind}.`);
  return reading.rows.flatMap<unknown>((row) => {
    if (row.kind === "draft") return [row.draft];
    if (row.kind === "problem") return [row.problem];
    return row.kind === "skipped" && !["Header.", "Empty line.", "Above the header."].includes(row.reason)
      ? [row.reason]
      : [];
  });
};

const byIsin = (isin: string) => ({ symbol: isin, isin });

const APPLE = byIsin("US0378331005");

describe("what Degiro says is held", () => {
  const held = { ...byIsin("US6536561086"), name: "NICE LTD", currency: "USD", quantity: "13", lastPrice: "91.15" };

  it.each([
    "Product,Symbol/ISIN,Amount,Closing,Local value,,Value in EUR",
    "Product,Symbol/ISIN,Quantity,Closing,Local value,,Value in EUR",
    "Product,Symbool/ISIN,Aantal,Slotkoers,Lokale waarde,,Waarde in EUR",
    "Produkt,Symbol/ISIN,Anzahl,Schlußkurs,Wert,,Wert in EUR",
    "Produkt,Symbol/ISIN,Množství,Uzavírací,Hodnota,,Hodnota v EUR",
  ])("is read below %s", (header) => {
    const cash = 'CASH & CASH FUND & FTX CASH (EUR),,,,EUR,"1079,92","1079,92"';
    const row = 'NICE LTD,US6536561086,13,"91,15",USD,"1184,95","1019,29"';
    expect(lines([header, cash, row].join("\n"))).toEqual([
      "Cash is not a stock.",
      { ...held, lastPriceSource: "import" },
    ]);
  });

  it("may have a symbol before the ISIN", () => {
    const header = "Produkt,Symbol/ISIN,Množství,Uzavírací,Hodnota,Hodnota v EUR";
    expect(lines(`${header}\nAEHR TEST,AEHR | US00760J1088,12,"76,32",USD 915.84,843.21`)).toMatchObject([
      { symbol: "AEHR", isin: "US00760J1088", quantity: "12", lastPrice: "76.32" },
    ]);
  });
});

describe("Degiro's orders", () => {
  const row = '12-03-2026,10:01,APPLE INC,US0378331005,NDQ,XNAS,10,"95,20",USD,"-952,00",USD,"-900,00"';
  const bought = { ...APPLE, name: "APPLE INC", currency: "USD", quantity: "10", avgCost: "95.2" };

  it.each([
    "Date,Time,Product,ISIN,Reference exchange,Venue,Quantity,Price,,Local value,,Value EUR,Exchange rate,Total EUR,Order ID,",
    "Datum,Tijd,Product,ISIN,Beurs,Uitvoeringsplaats,Aantal,Koers,,Lokale waarde,,Waarde,,Wisselkoers,Totaal,,Order ID",
    "Datum,Uhrzeit,Produkt,ISIN,Referenzbörse,Ausführungsort,Anzahl,Kurs,,Wert,,Wert,,Wechselkurs,Gesamt,,Order-ID",
    "Date,Heure,Produit,Code ISIN,Place boursière,Lieu,Quantité,Cours,,Devise locale,,Montant,,Taux,Montant,,ID Ordre",
    "Fecha,Hora,Producto,ISIN,Bolsa de,Centro,Número,Precio,,Valor local,,Valor,,Tipo de cambio,Total,,ID Orden",
    "Data,Ora,Prodotto,ISIN,Borsa di riferimento,Borsa,Quantità,Quotazione,,Valore locale,,Valore EUR,Tasso,Totale,ID Ordine",
    "Data,Hora,Produto,ISIN,Bolsa de,Bolsa,Quantidade,Preços,,Valor local,,Valor,,Taxa de Câmbio,Total,,ID da Ordem",
    "Data,Czas,Produkt,ISIN,Giełda,Miejsce,Liczba,Kurs,,Wartość lokalna,,Wartość,,Kurs wymiany,Razem,,Identyfikator zlecenia",
    "Datum,Čas,Produkt,ISIN,Referenční burza,Venue,Počet,Cena,,Lokální hodnota,,Hodnota,,Směnný kurz,Celkem,,ID objednávky",
  ])("are purchases below %s", (header) => {
    expect(lines(`${header}\n${row}`)).toEqual([bought]);
  });

  it("are sales where the quantity is below zero", () => {
    const header = "Date,Time,Product,ISIN,Reference,Venue,Quantity,Price,,Local value,,Order ID";
    const sale = "15-05-2026,09:05,APPLE INC,US0378331005,NDQ,XNAS,-5,150.00,USD,750.00,USD,b";
    const purchase = "12-03-2026,09:05,APPLE INC,US0378331005,NDQ,XNAS,10,95.20,USD,-952.00,USD,a";
    expect(lines([header, sale, purchase].join("\n"))).toEqual([{ ...bought, quantity: "5" }]);
    expect(lines([header, sale].join("\n"))).toEqual([
      expect.stringContaining("This file sells more US0378331005 than it buys."),
    ]);
  });
});

it("Degiro's lines without an order are a split, which keeps the cost, or refuse their stock", () => {
  const header = "Datum,Uhrzeit,Produkt,ISIN,Börse,Anzahl,Kurs,,Wert,,Order-ID,";
  const of = (day: number, count: number, price: string, id = "") =>
    `${day}-06-2026,10:00,SHOPIFY,CA82509L1076,NSY,${count},${price},USD,1,USD,,${id}`;
  const [sold, come, gone, bought] = [
    of(4, -10, "36", "b"),
    of(3, 60, "35.026"),
    of(3, -6, "350.26"),
    of(2, 6, "390.26", "a"),
  ];
  const left = { ...byIsin("CA82509L1076"), name: "SHOPIFY", currency: "USD", quantity: "50", avgCost: "39.026" };
  expect(lines([header, sold, come, gone, bought].join("\n"))).toEqual([left]);
  const problem = expect.stringContaining("Line 2 has no order ID, so it is neither a purchase nor a sale.");
  expect(lines([header, of(3, 1, "0"), bought].join("\n"))).toEqual([problem, problem]);
  expect(lines([header, of(3, 60, "350.26"), gone, bought].join("\n"))).toEqual([problem, problem, problem]);
});

it("Scalable's orders count where they were executed, and distributions move no shares", () => {
  const sap = (reference: string) => `${reference};SAP;Security`;
  const file = [
    "date;time;status;reference;description;assetType;type;isin;shares;price;amount;fee;tax;currency",
    `2026-04-06;10:00:00;Pending;${sap("7")};Sell;DE0007164600;3;0,00;0,00;0,00;0,00;EUR`,
    "2026-04-05;10:00:00;Executed;6;SAP;Cash;Distribution;DE0007164600;;;12,00;0,00;0,00;EUR",
    "2026-04-04;10:00:00;Executed;5;World;Security;Savings plan;IE00B4L5Y983;1,5;80,00;-120,00;0,00;0,00;EUR",
    `2026-04-03;10:00:00;Executed;${sap("4")};Sell;DE0007164600;2;60,00;120,00;-1,00;0,00;EUR`,
    `2026-04-02;10:00:00;Cancelled;${sap("3")};Buy;DE0007164600;4;50,00;-200,00;-1,00;0,00;EUR`,
    `2026-04-01;10:00:00;Executed;${sap("2")};Buy;DE0007164600;10;50,00;-500,00;-1,00;0,00;EUR`,
    "2026-04-01;09:00:00;Executed;1;Deposit;Cash;Deposit;;;;2.000,00;0,00;0,00;EUR",
  ];
  const noTrade = "Neither a purchase nor a sale.";
  expect(lines(file.join("\n"))).toEqual([
    "Not executed.",
    noTrade,
    { ...byIsin("IE00B4L5Y983"), name: "World", currency: "EUR", quantity: "1.5", avgCost: "80" },
    "Not executed.",
    { ...byIsin("DE0007164600"), name: "SAP", currency: "EUR", quantity: "8", avgCost: "50" },
    noTrade,
  ]);
});

it("transfers that cancel out, as Scalable's when it changed its bank, move nothing", () => {
  const header = "date;time;status;description;type;isin;shares;price;amount;currency";
  const of = (day: number, type: string, shares: string) =>
    `2025-12-0${day};01:00:00;Executed;Microsoft;${type};US5949181045;${shares};410,30;0,00;EUR`;
  const bought = { ...byIsin("US5949181045"), name: "Microsoft", currency: "EUR", quantity: "7", avgCost: "410.3" };
  const [out, back, purchase] = [of(5, "Security transfer", "-7"), of(6, "Security transfer", "7"), of(1, "Buy", "7")];
  const noTrade = "Neither a purchase nor a sale.";
  expect(lines([header, back, out, purchase].join("\n"))).toEqual([noTrade, noTrade, bought]);
  const problem = expect.stringContaining("is neither a purchase nor a sale: “Security transfer”");
  expect(lines([header, back, purchase].join("\n"))).toEqual([problem, problem]);
  expect(lines([header, back, of(5, "Security transfer", "-6"), purchase].join("\n"))).toEqual([
    problem,
    problem,
    problem,
  ]);
});

it("ING's list counts shares, and not the nominal value of bonds", () => {
  const file = `Depotübersicht vom 07.08.2026 21:28
Kunde;Max Muster

ISIN;Wertpapiername;Stück/Nominale;Einheitskennzeichen;Einstandskurs;Währung;Einstandswert;Währung;Bewertungskurs;Währung
US0378331005;APPLE INC;10;Stück;150,00;EUR;1.500,00;EUR;170,50;EUR
DE0001102481;BUND 26;1.000,00;EUR;99,00;%;990,00;EUR;99,50;%`;
  expect(lines(file)).toEqual([
    {
      ...{ ...APPLE, name: "APPLE INC", currency: "EUR", quantity: "10", avgCost: "150" },
      ...{ lastPrice: "170.5", lastPriceSource: "import" },
    },
    "It is not counted in shares.",
  ]);
});

it("ZKB's list names its columns in its own words", () => {
  const file = `"Bezeichnung";"ISIN";"Anz. Nom.";"Währung";"Datum";"Spesen CHF";"Marktkurs";"Einstandskurs"
"APPLE INC";"US0378331005";"10";"USD";"07.08.2026";"0";"170.50";"150.00"`;
  expect(lines(file)).toEqual([
    {
      ...{ ...APPLE, name: "APPLE INC", currency: "USD", quantity: "10", avgCost: "150" },
      ...{ lastPrice: "170.5", lastPriceSource: "import" },
    },
  ]);
});

describe("a table without symbols", () => {
  it("keeps what has a meaning of its own elsewhere", () => {
    const header = "Product,Instrument,Qty.,Avg.";
    expect(lines(`${header}\nCNC,INFY,5,100`)).toMatchObject([{ symbol: "INFY", quantity: "5" }]);
    expect(lines(`${header}\nCNC,INFY,5,100`)).not.toMatchObject([{ name: "CNC" }]);
  });

  it("takes no column for currencies that has a name, or other cells", () => {
    expect(lines("ISIN,Fees in,Quantity\nUS0378331005,EUR,5")).toEqual([{ ...APPLE, quantity: "5" }]);
    expect(lines("ISIN,,Quantity\nUS0378331005,EUR,5\nUS5949181045,x,5")).toEqual([
      { ...APPLE, quantity: "5" },
      { ...byIsin("US5949181045"), quantity: "5" },
    ]);
    expect(lines("ISIN,,Quantity\nUS0378331005,EUR,5\nUS5949181045,,5")).toEqual([
      { ...APPLE, currency: "EUR", quantity: "5" },
      { ...byIsin("US5949181045"), quantity: "5" },
    ]);
  });

  it("may have a column of them that is blank, as Portfolio Performance's", () => {
    const header = "Date;Type;Value;Shares;ISIN;Ticker Symbol;Security Name";
    const row = "2026-01-05T00:00;Buy;-500.00;5;US0378331005;;Apple";
    expect(lines(`${header}\n${row}`)).toEqual([{ ...APPLE, name: "Apple", quantity: "5" }]);
    const other = "2026-01-06T00:00;Buy;-500.00;5;US5949181045;MSFT;Microsoft";
    expect(lines([header, row, other].join("\n"))).toMatchObject([
      "The symbol is missing on this line.",
      { symbol: "MSFT" },
    ]);
  });

  it("of ISINs alone is one of stocks to watch", () => {
    expect(lines("ISIN\nUS0378331005\nUS5949181045")).toEqual([APPLE, byIsin("US5949181045")]);
  });
});

describe("lines that are no holdings", () => {
  const MISSING = "The symbol is missing on this line.";

  it("are those of movements in words that are not known, also with the ids of orders", () => {
    const account = "Date,Time,Value date,Product,ISIN,Description,FX,Change,,Balance,,Order Id";
    const dividend = "14-01-2026,09:15,14-01-2026,World,IE00B4L5Y983,Dividend,,EUR,5.00,EUR,1250.00,1";
    expect(lines(`${account}\n${dividend}`)).toEqual([MISSING]);
    const amounts =
      '"Type","SettleDate","ISIN","Description","Amount"\n"Dividends","2026-03-01","US9220427424","VT","65.04"';
    expect(lines(amounts)).toEqual([MISSING]);
    const moves = "Bogføringsdag;Handelsdag;Transaktionstype;Navn;ISIN;Antal;Kurs;Valuta";
    const sold = "2026-02-05;2026-02-05;SOLGT;Apple;US0378331005;4;120,5;USD";
    expect(
      lines([moves, sold, sold.replace("SOLGT;Apple;US0378331005;4", "KØBT;Apple;US0378331005;10")].join("\n")),
    ).toEqual([MISSING, MISSING]);
  });

  it("are bonds, by their type or the rate in their name", () => {
    const BOND = "A bond is not a stock: its quantity is a nominal value, and its price a percentage.";
    const header = "Name,Type,ISIN,Quantity,Currency";
    const bund = "BUND 26,Anleihe,DE0001102481,1000,EUR";
    const btp = '"ITALY BTP 2,5% 01DC32",,IT0005494239,5000,EUR';
    const fund = "Global Bond UCITS ETF,ETF,IE00B4L5Y983,5,EUR";
    expect(lines([header, bund, btp, fund].join("\n"))).toEqual([
      BOND,
      BOND,
      { ...byIsin("IE00B4L5Y983"), name: "Global Bond UCITS ETF", assetType: "etf", currency: "EUR", quantity: "5" },
    ]);
  });
});

it("orders of finanzen.net zero and George are read in their words", () => {
  const zero = `Name;ISIN;Anzahl;Status;Richtung;Ausführung Datum;Ausführung Kurs
GameStop;US36467W1099;3;gestrichen;Kauf;;
SAP;DE0007164600;10;ausgeführt;Kauf;01.02.2026;90,00
SAP;DE0007164600;5;ausgeführt;Verkauf;03.02.2026;92,00`;
  const sap = { ...byIsin("DE0007164600"), name: "SAP", quantity: "5", avgCost: "90" };
  expect(lines(zero)).toEqual(["Not executed.", sap]);
  const george = `Buchungsdatum;Auftragsart;Titel;ISIN;Stück;Kurs;Währung
05.01.2026;Kauf;SAP;DE0007164600;10;90,00;EUR
06.02.2026;Verkauf;SAP;DE0007164600;5;92,00;EUR`;
  expect(lines(george)).toEqual([{ ...sap, currency: "EUR" }]);
});

describe("what other headers of a file say", () => {
  it.each([
    ["Número,Símbolo,ISIN,Cantidad\n1,SAN,ES0113900J37,100", { symbol: "SAN", quantity: "100" }],
    ["Product,Name,Ticker,ISIN\nAktie,Apple,AAPL,US0378331005", { name: "Apple" }],
    ["Ticker,Shares,Buy price (EUR),Price,\nAAPL,5,150.10,170.5,USD", { currency: "EUR", avgCost: "150.1" }],
    ["Date,Symbol,Action,Quantity,Price,Status\n2026-01-05,AAPL,Buy,5,1,Pending settlement", { quantity: "5" }],
  ])("counts in %j", (file, draft) => {
    expect(lines(file)).toMatchObject([draft]);
  });

  it("is no ISIN in “Cost Basis in USD”", () => {
    expect(lines("Product,Symbol,Quantity,Cost Basis in USD\nEquity,AAPL,5,100")).toEqual([
      { symbol: "AAPL", quantity: "5" },
    ]);
  });
});

describe("an ISIN that stands for a symbol", () => {
  const rowsOf = (file: string, listed: readonly Parameters<typeof stockOf>[0][]) => {
    const reading = readImport(file, "en-US");
    if (reading.kind === "refused") throw new Error(reading.problem);
    const { rows } = applyRenames(reading, findRenames(reading, listed.map(stockOf)));
    return rows.flatMap((row) => (row.kind === "draft" ? [`${row.draft.symbol} ${row.draft.exchange ?? "-"}`] : []));
  };
  const { isin } = APPLE;
  const file = `ISIN,Currency,Quantity\n${isin},EUR,5`;
  const inEuros = { symbol: "APC", exchange: "XETR", currency: "EUR", isin };
  const inDollars = { symbol: "AAPL", exchange: "XNAS", currency: "USD", isin };

  it("is the stock that the list has with both, in that currency", () => {
    expect(rowsOf(file, [inEuros])).toEqual(["APC XETR"]);
    expect(rowsOf(file, [inEuros, inDollars])).toEqual(["APC XETR"]);
    expect(rowsOf(file, [inDollars])).toEqual([`${isin} -`]);
  });

  it("is none of several, and another one on another market", () => {
    expect(rowsOf(file, [inEuros, { ...inEuros, exchange: "XFRA" }])).toEqual([`${isin} -`]);
    expect(rowsOf(`ISIN,Exchange,Currency,Quantity\n${isin},XFRA,EUR,5`, [inEuros])).toEqual([`${isin} XFRA`]);
  });

  it("is none where the file names no currency, or has the stock by its symbol as well", () => {
    expect(rowsOf(`ISIN,Quantity\n${isin},5`, [inDollars])).toEqual([`${isin} -`]);
    expect(rowsOf(`Symbol,Currency,Quantity\nAPC,EUR,1\n${isin},EUR,5`, [inEuros])).toEqual(["APC XETR", `${isin} -`]);
  });

  it("is looked for only where the file has no symbol", () => {
    expect(rowsOf(`Symbol,ISIN,Currency,Quantity\nABC,${isin},EUR,5`, [inEuros])).toEqual(["ABC -"]);
  });
});
