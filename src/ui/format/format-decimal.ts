/** Decimal strings as a locale writes them, exactly: `Intl` gets the string, which never becomes a float. */

/** Formatters are slow to make and few: one for each locale and set of options. */
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

/** Decimals of any answer: a quantity of 10 times a price of 10. */
const MAX_DECIMALS = 20;

/**
 * A decimal string as `locale` writes it, with the true minus sign `−`. What is rounded is said by `options`: without
 * a limit of decimals none is. A text that is no decimal comes back as it is.
 */
export const formatDecimal = (decimal: string, locale: string, options: Intl.NumberFormatOptions = {}): string => {
  if (!isDecimal(decimal)) return decimal;
  const exact = { maximumFractionDigits: MAX_DECIMALS, signDisplay: "negative", ...options } as const;
  return formatterFor(locale, exact).format(decimal).replace("-", "−");
};
