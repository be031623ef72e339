/** What a line of a broker's file did, and when: in the words and dates that brokers write. */

/** `aside` moves money and no shares, such as a dividend. `unknown` may have moved shares: a split, a transfer, a merger. */
export type TradeKind = "buy" | "sell" | "aside" | "unknown";

/**
 * At the start of a cell, a word may go on after a stem: "SELLSTOCK". Later, stems have to be whole words, because the names of what
 * was traded follow: "Salesforce", "Ventas". German and Dutch join words: "Limit-Verkaufsorder".
 */
const tradeWords = (stems: string, joined: string, letter: string): RegExp =>
  new RegExp(`^\\s*(?:${stems})|\\b(?:(?:${stems})\\b|${joined})|^\\s*${letter}\\s*$`, "i");

const SALE = tradeWords(
  "sell|sold|sale|ventes?|vendue?s?|venta|venda|vendita|sprzedaż|prodej",
  "verkauf|verkoop",
  "s(?:hort)?",
);

const PURCHASE = tradeWords(
  "buy(?!.?back)|bought|purchased?|achats?|compra|acquisto|kupno|nákup|drip|reinvestment|reinvest shares",
  "kauf|ankauf|koop|aankoop",
  "b",
);

/** A line that takes back another one: `BUY (Ca.)` at Interactive Brokers. It does not say which one. */
const CANCELLED = /\bcancel|\(ca\.?\)|storno\b|stornobuchung|\bstornier/i;

/** Whether a purchase reinvests income. */
export const isReinvestment = (cell: string): boolean => /\b(?:drip|reinvest)/i.test(cell);

/** A plan buys, unless it says that it sells. */
const PLAN = /\b(?:sparplan|savings plan)/i;

/** Checked before trades: the name of what paid the income may have a word for a trade, such as "Best Buy". */
const INCOME = /^\s*(?:dividend received|interest earned)/i;

const MONEY_ALONE =
  /\b(div|dividend\w*|interest|deposit|withdraw\w*|fees?|tax\w*|top[ -]?up|cash|commission|charge|cap(?:ital)? gains?|zins\w*|einzahlung|auszahlung|steuer\w*|int[eé]r[eê]ts?|imp[oô]t|coupons?|ertrag|utdelning|utbytte|udbytte|dywidenda|cedola)\b|geb[uü]hr|ausschüttung/i;

/** What changes the number of shares although it names money: they are taken away for cash, or income became shares. */
const SHARES_TOO = /\bmerger|cash liquid|^\s*stock div|\b(?:wiederanlage|återinvest|reinvestert|geninvest)/i;

/** Robinhood's codes of dividends, interest on lent shares, fees and taxes. */
const MONEY_CODE = /^\s*(?:[cm]div|slip|dfee|afee|dtax)\s*$/i;

const TRADE_ALONE =
  /^\s*(?:buy|sell|bought|sold|purchase|sale|kauf|verkauf|achat|vente|compra|venta|venda|acquisto|vendita|(?:aan|ver)?koop|sprzedaż|kupno|prodej|nákup)\s*$/i;

/** Whether the cell has nothing but a word for a trade. */
export const isTradeAlone = (cell: string): boolean => TRADE_ALONE.test(cell);

/** What a line did, by the first word for a trade in the cell of its own column. An empty cell says nothing. */
export const tradeKind = (cell: string): TradeKind | undefined => {
  // Drops the account that a line of Fidelity's names at its end. Freetrade's `TOP_UP` is read as two words.
  const words = cell.replace(/\((?:cash|margin)\)\s*$/i, "").replaceAll("_", " ");
  if (words.trim() === "") return undefined;
  if (INCOME.test(words)) return "aside";
  const [sale, purchase] = [placeOf(SALE, words), placeOf(PURCHASE, words)];
  if (sale !== purchase && CANCELLED.test(words)) return "unknown";
  if (sale !== purchase) return sale < purchase ? "sell" : "buy";
  if (PLAN.test(words)) return "buy";
  if (SHARES_TOO.test(words)) return "unknown";
  return MONEY_ALONE.test(words) || MONEY_CODE.test(words) ? "aside" : "unknown";
};

const placeOf = (trade: RegExp, words: string): number => trade.exec(words)?.index ?? words.length;

/** Whether a quantity is below zero, as some brokers write what was sold: `-5`, `(5)`, `5-`. */
export const isNegative = (cell: string): boolean =>
  /^\s*(?:[-−]\s*[\d.,]|\([^)]*\d[^)]*\)\s*$|[\d.,\s]*\d-\s*$)/.test(cell);

/** The same quantity above zero. */
export const withoutSign = (cell: string): string => cell.replace(/[-−()]/g, "");

/** How a date such as `03/04/2026` is meant, which it does not say itself. */
type DayOrder = "dayFirst" | "monthFirst";

const ISO_DAY = /(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})/;

const JOINED_DAY = /^(\d{4})(\d{2})(\d{2})(?!\d)/;

const DOTTED_DAY = /(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})(?!\d)/;

const EITHER_DAY = /(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})(?!\d)/;

/**
 * `10 Jan 2026`, `10. Januar 2026`, `1er mai 2026`, `10 de enero de 2026`, `10-Jan-26`; `Jan 10th, 2026`. The hour of
 * `10 Jan 14:30` is not a year.
 */
const NAMED_DAY =
  /(\d{1,2})(?:er|o|st|nd|rd|th)?[ ./-]+(?:de )?([a-z]{3,12})[ .,/-]+(?:de )?(\d{4}|\d{2})(?![\d:])|([a-z]{3,12})[ .]+(\d{1,2})(?:st|nd|rd|th)?[ ,]+(\d{4}|\d{2})(?![\d:])/i;

/** How the months begin, without accents: in English, German, French, Spanish, Italian, Portuguese, Dutch and Scandinavian languages. */
const MONTHS = [
  ...["jan ene gen", "feb fev", "mar mrz mrt maa", "apr avr abr", "may mai mei mag maj", "jun juin giu"],
  ...["jul juil lug", "aug aou ago", "sep set", "oct okt ott out", "nov", "dec dez dic des"],
].map((starts) => starts.split(" "));

const monthOf = (word: string): number =>
  MONTHS.findIndex((starts) => starts.some((start) => word.toLowerCase().startsWith(start))) + 1;

/** `10:30 PM`, `10:30p`, `10:30 p. m.`; not the first letter of a time zone, as in `10:30 PST`. */
const TIME = /(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?(?:\s*([ap])(?:\.?\s?m)?\b)?/i;

/**
 * The moments of cells as texts that sort by time, empty for a cell that is not a date. There is one reading of all cells, two if days
 * and months cannot be told apart, and none if some cells have the day first and others the month.
 */
export const readMoments = (cells: readonly string[]): readonly (readonly string[])[] => {
  const either = cells
    .flatMap((cell) => (ISO_DAY.test(cell) ? [] : [EITHER_DAY.exec(cell) ?? []]))
    .filter(({ length }) => length > 0);
  const canBe = (place: 1 | 2): boolean => either.every((parts) => Number(parts[place]) <= 12);
  const orders: readonly DayOrder[] = [
    ...(canBe(2) ? ["dayFirst" as const] : []),
    ...(canBe(1) ? ["monthFirst" as const] : []),
  ];
  const told = either.length === 0 ? orders.slice(0, 1) : orders;
  return told.map((order) => cells.map((cell) => momentOf(cell, order)));
};

const momentOf = (cell: string, order: DayOrder): string => {
  const day = dayOf(cell, order);
  return day === undefined ? "" : `${day} ${timeOf(cell)}`;
};

const dayOf = (cell: string, order: DayOrder): string | undefined => {
  const iso = ISO_DAY.exec(cell) ?? JOINED_DAY.exec(cell);
  if (iso) return dayText(iso[1], iso[2], iso[3]);
  const dotted = DOTTED_DAY.exec(cell);
  if (dotted) return dayText(dotted[3], dotted[2], dotted[1]);
  const either = EITHER_DAY.exec(cell);
  if (either)
    return order === "dayFirst" ? dayText(either[3], either[2], either[1]) : dayText(either[3], either[1], either[2]);
  const named = NAMED_DAY.exec(cell.normalize("NFKD").replace(/\p{M}/gu, ""));
  const month = monthOf(named?.[2] ?? named?.[4] ?? "");
  return named && month > 0 ? dayText(named[3] ?? named[6], String(month), named[1] ?? named[5]) : undefined;
};

/** A year of two digits is of this century up to 69. */
const wholeYear = (year: string): string => (year.length > 2 ? year : `${Number(year) < 70 ? "20" : "19"}${year}`);

const dayText = (year = "", month = "", day = ""): string =>
  `${wholeYear(year)}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;

const timeOf = (cell: string): string => {
  const [, hour, minute = "", second = "00", half] = TIME.exec(cell) ?? [];
  if (hour === undefined) return "";
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  return `${String(hours).padStart(2, "0")}:${minute}:${second}`;
};
