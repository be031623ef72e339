/** How many tokens, short. */

/** `310`, `2.1K`, `152K`, as the locale shortens them. */
export const formatTokens = (count: number): string => SHORT.format(count);

const SHORT = new Intl.NumberFormat(undefined, {
  notation: "compact",
  maximumFractionDigits: 1,
  maximumSignificantDigits: 3,
  roundingPriority: "lessPrecision",
});
