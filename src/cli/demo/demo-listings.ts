/** The listings that the demo's price server knows: those of the example list, and some more to find. */
import { EXAMPLE_LIST } from "../../contract/prices/example-list.ts";

/** A listing, and about what its price has been: the demo's prices swing around that. */
export type DemoListing = {
  readonly symbol: string;
  readonly mic: string;
  readonly name: string;
  /** As the source spells it. */
  readonly type: string;
  /** As the source spells it: `GBp` for pence. */
  readonly currency: string;
  readonly isin: string;
  readonly about: number;
  /** Whether the plan of the demo has its prices. */
  readonly isInPlan: boolean;
};

const ABOUT: Readonly<Record<string, number>> = {
  ...{ AAPL: 225, MSFT: 430, NVDA: 135, KO: 66, VTI: 280, ASML: 720, SAP: 190, MC: 640 },
  ...{ EUNL: 98, VOD: 78, SHEL: 2650, AZN: 11_200 },
};

const STOCK = "Common Stock";

const ofExample: readonly DemoListing[] = EXAMPLE_LIST.map(({ symbol, exchange, name, currency, isin, assetType }) => ({
  ...{ symbol, mic: exchange, name, isin: isin ?? "", about: ABOUT[symbol] ?? 100, isInPlan: true },
  ...{ type: assetType === "etf" ? "ETF" : STOCK, currency: currency === "GBX" ? "GBp" : currency },
}));

type More = readonly [symbol: string, mic: string, name: string, currency: string, isin: string, about: number];

const MORE: readonly More[] = [
  ["VOD", "XNAS", "Vodafone Group", "USD", "US92857W3088", 9.8],
  ["VODI", "XETR", "Vodafone Group", "EUR", "GB00BH4HKS39", 0.91],
  ["APC", "XETR", "Apple", "EUR", "US0378331005", 207],
  ["AMZN", "XNAS", "Amazon.com", "USD", "US0231351067", 190],
  ["GOOGL", "XNAS", "Alphabet Class A", "USD", "US02079K3059", 170],
  ["TSLA", "XNAS", "Tesla", "USD", "US88160R1014", 250],
  ["BRK.B", "XNYS", "Berkshire Hathaway Class B", "USD", "US0846707026", 450],
  ["SIE", "XETR", "Siemens", "EUR", "DE0007236101", 180],
  ["VOW3", "XETR", "Volkswagen", "EUR", "DE0007664039", 105],
  ["SAN", "XPAR", "Sanofi", "EUR", "FR0000120578", 88],
  ["SAN", "XMAD", "Banco Santander", "EUR", "ES0113900J37", 8.4],
  ["HSBA", "XLON", "HSBC Holdings", "GBp", "GB0005405286", 690],
];

/** Listings beyond the demo's plan, because every plan lacks some. */
const BEYOND: readonly More[] = [
  ["NESN", "XSWX", "Nestlé", "CHF", "CH0038863350", 88],
  ["7203", "XTKS", "Toyota Motor", "JPY", "JP3633400001", 2_700],
];

const toListing =
  (isInPlan: boolean) =>
  ([symbol, mic, name, currency, isin, about]: More): DemoListing => ({
    ...{ symbol, mic, name, type: STOCK, currency, isin, about, isInPlan },
  });

/** All of them. */
export const DEMO_LISTINGS: readonly DemoListing[] = [
  ...ofExample,
  ...MORE.map(toListing(true)),
  ...BEYOND.map(toListing(false)),
];
