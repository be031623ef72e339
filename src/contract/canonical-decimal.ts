/** The one form a decimal has in answers and at rest (CONTRACT §5). Without zod, so that the app can use it. */

/**
 * A decimal as answers write it: no zeros beyond need, no exponent, `-0` as `0`. Takes digits with an optional `-`
 * before and an optional point among them. Figures that were computed have more digits than an input may have.
 */
export const canonicalDecimal = (plain: string): string => {
  const digits = plain.replace(/^(-?)0+(?=\d)/, "$1");
  const short = digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits;
  return short === "-0" ? "0" : short;
};
