/** Where prices can come from, and what has to be shown where they are. `demo` is a server of `npm run dev -- --demo`. */
export const ATTRIBUTIONS = {
  twelvedata: { text: "Data provided by Twelve Data", url: "https://twelvedata.com" },
  eodhd: { text: "Data by EODHD", url: "https://eodhd.com" },
  demo: { text: "Demo prices, not real", url: null },
} as const;
