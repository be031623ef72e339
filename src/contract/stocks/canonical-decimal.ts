/** The canonical form of decimals, in answers and at rest (api.md §5). Without zod, so that the app can use it. */

/**
 * Removes leading and trailing zeros, and turns `-0` into `0`. Takes digits with an optional `-` before them and an
 * optional point among them. Computed figures can have more digits than an input may have.
 */
export const canonicalDecimal = (plain: string): string => {
  const digits = plain.replace(/^(-?)0+(?=\d)/, "$1");
  const short = digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits;
  return short === "-0" ? "0" : short;
};

/** Writes a number without an exponent. JavaScript uses one below 1e-6, and from 1e21 on, which no amount reaches. */
export const writeOut = (value: number): string => {
  const [digits = "", exponent] = String(value).split("e-");
  if (exponent === undefined) return digits;
  const sign = value < 0 ? "-" : "";
  return `${sign}0.${"0".repeat(Number(exponent) - 1)}${digits.replace(/[-.]/g, "")}`;
};
