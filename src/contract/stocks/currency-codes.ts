/** The currency codes. Without zod, so that the app can use them. */
import { MAJOR_OF_HUNDREDTH } from "./major-currency.ts";

/** ISO 4217 list one. Our own list, because `Intl.supportedValuesOf` differs between runtimes. */
const ISO_4217 = `
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW
  CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL
  HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA
  MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD
  RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD
  USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU XTS XUA XXX
  YER ZAR ZMW ZWG`;

/** Every currency that a stock can have. */
export const CURRENCY_CODES: ReadonlySet<string> = new Set([
  ...ISO_4217.trim().split(/\s+/),
  ...MAJOR_OF_HUNDREDTH.keys(),
]);

/** Codes of units of account, of tests and of no currency: a stock may have one, but nothing is quoted in them. */
const NOT_QUOTED: ReadonlySet<string> = new Set(["XBA", "XBB", "XBC", "XBD", "XSU", "XTS", "XUA", "XXX"]);

/** The codes that a form offers, sorted, including `now`, the one it has already. */
export const offeredCurrencies = (now?: string): string[] =>
  [...CURRENCY_CODES].filter((code) => code === now || !NOT_QUOTED.has(code)).sort();

/** The currency of a stock that does not name one. */
export const DEFAULT_CURRENCY = "USD";

/** Normalizes a code. Maps `GBp` before upper-casing: as `GBP`, London's prices would be 100 times too high. */
export const currencyCode = (text: string): string => (text.trim() === "GBp" ? "GBX" : text.trim().toUpperCase());
