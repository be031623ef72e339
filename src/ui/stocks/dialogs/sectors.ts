/** Sectors to choose from (GICS, the eleven at its top). Any other text is fine as well. */
export const SECTORS = [
  "Communication services",
  "Consumer discretionary",
  "Consumer staples",
  "Energy",
  "Financials",
  "Health care",
  "Industrials",
  "Information technology",
  "Materials",
  "Real estate",
  "Utilities",
] as const;
