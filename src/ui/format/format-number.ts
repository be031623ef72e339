/** Formats decimal strings for a locale, exactly: `Intl` gets the string, which never becomes a float. */

/** Formatters are slow to create, so they are cached by locale and options. */
const formatters = new Map<string, Intl.NumberFormat>();

const formatterFor = (locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat => {
  const key = `${locale} ${JSON.stringify(options)}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat(locale, options);
  formatters.set(key, made);
  return made;
};

const isDecimal = (text: string): text is `${number}` => /^-?\d+(\.\d+)?$/.test(text);

/** Most decimals of any figure: a quantity with 10 times a price with 10. */
const MAX_DECIMALS = 20;

/**
 * Formats a decimal string for a locale, with the true minus sign `−`. Rounds only if `options` limit the decimals.
 * Returns text that is not a decimal unchanged.
 */
export const formatDecimal = (decimal: string, locale: string, options: Intl.NumberFormatOptions = {}): string => {
  if (!isDecimal(decimal)) return decimal;
  const exact = { maximumFractionDigits: MAX_DECIMALS, signDisplay: "negative", ...options } as const;
  return formatterFor(locale, exact).format(decimal).replace("-", "−");
};

/** `1 stock`, `3 stocks`, `1,200 stocks`. The words are English, the digits the locale's. */
export const formatCount = (count: number, one: string, many: string, locale: string): string =>
  `${formatDecimal(String(count), locale)} ${count === 1 ? one : many}`;

/** An en dash. Where it is alone, name it for screen readers. */
export const MISSING = "–";

/**
 * `+12.35%`, `−0.50%`, `0.00%`; `12.35` means 12.35 %. As a unit, because the percent style multiplies by 100.
 * The sign is always there, so that colour is never the only thing to tell a gain from a loss.
 */
export const formatPercent = (percent: string | null, locale: string): string =>
  percent === null
    ? MISSING
    : formatDecimal(percent, locale, {
        style: "unit",
        unit: "percent",
        minimumFractionDigits: 2,
        maximumFractionDigits: 2,
        signDisplay: "exceptZero",
      });

/** `1,234.5`, `0.00000001`. */
export const formatQuantity = (quantity: string | null, locale: string): string =>
  quantity === null ? MISSING : formatDecimal(quantity, locale);

let own = new Intl.Locale("en-US");
try {
  own = new Intl.Locale(navigator.language);
} catch {
  // A browser whose system has no language says `C` or `en-US@posix`, which `Intl` refuses.
}

/** The browser's own language, for numbers. */
export const LOCALE = String(own);

/** English as the browser's region writes it, for what has words in it: dates and ages, since all other text is English. */
export const WORDS_LOCALE = `en-${own.maximize().region ?? "GB"}`;
