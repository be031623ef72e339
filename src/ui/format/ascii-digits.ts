/**
 * Writes the decimal digits of any script as `0` to `9`, and leaves everything else. A script's digits follow each other, from its zero on:
 * https://www.unicode.org/policies/stability_policy.html (Numeric_Type)
 */
export const asciiDigits = (text: string): string =>
  text.replace(/(?!\d)\p{Nd}/gu, (digit) => String(decimalOf(digit)));

const decimalOf = (digit: string): number => {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  // Some scripts follow each other without a gap.
  return before % 10;
};
