/** The sources of prices, and what has to be shown beside their prices. `demo` is a server of `npm run dev -- --demo`. */
export const ATTRIBUTIONS = {
  twelvedata: { text: "Data provided by Twelve Data", url: "https://twelvedata.com" },
  eodhd: { text: "Data by EODHD", url: "https://eodhd.com" },
  demo: { text: "Demo prices, not real", url: null },
} as const;
