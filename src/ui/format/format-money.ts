/** Formats money: values rounded to the currency's usual decimals, and exact prices. */
import { majorCurrency } from "../../contract/stocks/major-currency.ts";
import { formatDecimal, MISSING } from "./format-number.ts";

const known = new Map<string, number>();

/** 2 for USD, 0 for JPY; 0 for the subunits GBX, ZAC and ILA, which `Intl` does not know. */
export const currencyDigits = (currency: string): number => {
  const digits = known.get(currency) ?? lookUp(currency);
  known.set(currency, digits);
  return digits;
};

const lookUp = (currency: string): number =>
  majorCurrency(currency).divisor === 100
    ? 0
    : (new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2);

/** `isSigned` is for gains: `+` above 0, no sign for what rounds to 0. `digits`: decimals, by default the currency's. */
type MoneyOptions = { readonly isSigned?: boolean; readonly digits?: number };

/** Two places to the left: `5` becomes `0.05`. */
const hundredthOf = (amount: string): string =>
  amount.replace(/^(-?)(\d+)\.?/, (_, sign: string, whole: string) => {
    const digits = whole.padStart(3, "0");
    return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
  });

/** An amount in the currency that people pay in: pounds where a price is in pence. */
const inMajor = (amount: string, currency: string) => {
  const { code, divisor } = majorCurrency(currency);
  return [divisor === 1 ? amount : hundredthOf(amount), code] as const;
};

/** `$1,234.50`, and pounds for an amount in pence: only prices are in pence. */
export const formatMoney = (
  amount: string | null,
  currency: string,
  locale: string,
  { isSigned = false, digits }: MoneyOptions = {},
): string => {
  if (amount === null) return MISSING;
  const [whole, code] = inMajor(amount, currency);
  const decimals = digits ?? currencyDigits(code);
  return formatDecimal(whole, locale, {
    style: "currency",
    currency: code,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    signDisplay: isSigned ? "exceptZero" : "negative",
  });
};

/** `$12.3M`: any amount, shortened so that it always fits. Pence stay pence. */
const shortenPrice = (amount: string, currency: string, locale: string, isSigned = false): string =>
  formatDecimal(amount, locale, {
    style: "currency",
    currency,
    notation: "compact",
    maximumSignificantDigits: 3,
    signDisplay: isSigned ? "exceptZero" : "negative",
  });

/** The first of two texts that is no longer than `room` characters, otherwise the last. */
const firstFit = (room: number, first: string, second: string, last: string): string =>
  first.length <= room ? first : second.length <= room ? second : last;

/** A value or a gain in at most about `room` characters: in full, otherwise without decimals, otherwise shortened. */
export const fitMoney = (amount: string, currency: string, locale: string, room: number, isSigned: boolean): string =>
  firstFit(
    room,
    formatMoney(amount, currency, locale, { isSigned }),
    formatMoney(amount, currency, locale, { isSigned, digits: 0 }),
    shortenPrice(...inMajor(amount, currency), locale, isSigned),
  );

/** A price below it is shown as less than it, where there is no room for the price's zeros. */
const TINY = "0.0001";

/** A price in at most about `room` characters: in full, otherwise with the currency's decimals, otherwise shortened. */
export const fitPrice = (price: string, currency: string, locale: string, room: number): string => {
  const exact = formatPrice(price, currency, locale);
  const short = shortenPrice(price, currency, locale);
  if (Number(price) < 1) {
    const last = Number(price) < Number(TINY) ? `<${formatPrice(TINY, currency, locale)}` : short;
    return firstFit(room, exact, short, last);
  }
  const digits = currencyDigits(currency);
  const plain = formatDecimal(price, locale, {
    style: "currency",
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return firstFit(room, exact, plain, short);
};

/** `$180.50`, `$0.0123`, `¥2,500`: at least the currency's decimals, and all that the price has. `isSigned` as for money. */
export const formatPrice = (price: string | null, currency: string, locale: string, isSigned = false): string =>
  price === null
    ? MISSING
    : formatDecimal(price, locale, {
        style: "currency",
        currency,
        minimumFractionDigits: currencyDigits(currency),
        signDisplay: isSigned ? "exceptZero" : "negative",
      });
