/** Any stock that the server could hold, as its rules leave it: trimmed, NFC, canonical amounts (api.md §5). */
import fc from "fast-check";
import type { StockValues } from "../../src/contract/stocks/stock-values.ts";

const isLine = (text: string): boolean => !/\p{Cc}/u.test(text);
const tidy = (text: string): string => text.toWellFormed().normalize("NFC").trim();

/** Text with what breaks naive CSV readers and spreadsheets. */
const tricky = fc.constantFrom(..."=+-@'\"\\;,|#\t\n ab0é＝", "''", '"";', "\\;", "=1+1", "$$CASH");
const texts = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.array(tricky, { maxLength: 12 }).map((parts) => parts.join("")),
);
const line = (max: number) =>
  texts
    .map((text) =>
      tidy(text.replace(/\p{Cc}/gu, ""))
        .slice(0, max)
        .trim()
        .toWellFormed(),
    )
    .filter((text) => text !== "" && isLine(text));
const notes = texts.map((text) => tidy(text.replace(/[^\P{Cc}\n\t]/gu, ""))).filter((text) => text !== "");

const positive = fc
  .tuple(fc.stringMatching(/^[1-9]\d{0,11}$/), fc.stringMatching(/^(\d{0,9}[1-9])?$/))
  .map(([integer, fraction]) => (fraction === "" ? integer : `${integer}.${fraction}`));
const amount = fc.oneof(positive, fc.constant("0"));
const orNull = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null });

const price = fc.oneof(
  fc.record({
    lastPrice: amount,
    lastPriceAt: fc
      .date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true })
      .map((at) => at.toISOString()),
    lastPriceSource: orNull(line(32)),
  }),
  fc.constant({ lastPrice: null, lastPriceAt: null, lastPriceSource: null }),
);
const holding = fc.oneof(
  fc.record({ quantity: positive, avgCost: orNull(amount) }),
  fc.record({ quantity: orNull(fc.constant("0")), avgCost: fc.constant(null) }),
);

const others = fc.record({
  symbol: fc.stringMatching(/^\^?[A-Z0-9]([A-Z0-9.&/=_+$^-]{0,20}[A-Z0-9.+])?$/),
  name: line(120),
  exchange: orNull(fc.stringMatching(/^[A-Z0-9]{4}$/)),
  isin: fc.constantFrom(null, "US0378331005"),
  assetType: fc.constantFrom("stock" as const, "etf" as const, "fund" as const, "index" as const, "other" as const),
  currency: fc.constantFrom("USD", "EUR", "JPY", "GBX"),
  watched: fc.boolean(),
  targetLow: orNull(positive),
  targetHigh: orNull(positive),
  sector: orNull(line(60)),
  tags: fc.uniqueArray(line(32), { maxLength: 20, selector: (tag) => tag.toLowerCase() }),
  notes: orNull(notes),
});

const stock: fc.Arbitrary<StockValues> = fc
  .tuple(others, holding, price)
  .map(([rest, held, priced]) => ({ ...rest, ...held, ...priced }));

/** A list as one owner has it: no stock twice. */
export const stockLists = fc.uniqueArray(stock, {
  maxLength: 8,
  selector: ({ symbol, exchange }) => `${symbol}:${exchange ?? ""}`,
});
