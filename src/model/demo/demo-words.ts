/** Symbols, amounts and fields as people write them to the demo model. */

const CURRENCY_SIGNS: Readonly<Record<string, string>> = { $: "USD", "€": "EUR", "£": "GBP" };

const FIELDS: Readonly<Record<string, string>> = {
  "target low": "targetLow",
  "low target": "targetLow",
  "target high": "targetHigh",
  "high target": "targetHigh",
  "average cost": "avgCost",
  "avg cost": "avgCost",
  cost: "avgCost",
  quantity: "quantity",
  shares: "quantity",
  "last price": "lastPrice",
  price: "lastPrice",
  name: "name",
  sector: "sector",
  currency: "currency",
};

/** Text fields, passed on as they are. */
const TEXT_FIELDS = ["name", "sector", "currency"];

/** A symbol in the spelling of the list. The action checks whether it is valid. */
export const readSymbol = (word = ""): string => word.toUpperCase();

/** An amount such as `1,250.50`, `$180` or `180 EUR`; the currency only when it is named. */
export const readAmount = (words: string | undefined): { amount?: string; currency?: string } => {
  const match = /^([$€£])?\s*(\d[\d,]*(?:\.\d+)?)\s*([a-z]{3})?$/i.exec(words?.trim() ?? "");
  if (match === null) return {};
  const [, sign = "", amount = "", code] = match;
  const currency = code?.toUpperCase() ?? CURRENCY_SIGNS[sign];
  return { amount: amount.replaceAll(",", ""), ...(currency !== undefined && { currency }) };
};

/** A change of one field. A value that is not an amount is passed on: the action's error says what it should be. */
export const readField = (field = "", value = ""): Readonly<Record<string, string>> => {
  const name = FIELDS[field.toLowerCase().replaceAll(/\s+/g, " ")] ?? field;
  return { [name]: TEXT_FIELDS.includes(name) ? value : (readAmount(value).amount ?? value) };
};

/** What can fill a hole. Each becomes a group of that name. */
const HOLES: Readonly<Record<string, string>> = {
  symbol: String.raw`\^?[a-z0-9][a-z0-9.\-&/=_+$^]{0,31}`,
  quantity: String.raw`\d[\d,]*(?:\.\d+)?`,
  price: String.raw`[$€£]?\s*\d[\d,]*(?:\.\d+)?(?:\s*[a-z]{3})?`,
  field:
    "target low|low target|target high|high target|average cost|avg cost|cost|quantity|shares|last price|price|name|sector|currency",
  // A lower-case ending tells `notes.md` from `BRK.B`.
  file: String.raw`\S+\.(?-i:[a-z][a-z0-9]{0,4})`,
  path: String.raw`\S+`,
  view: "stocks|chat",
  tab: "watchlist|holdings",
  text: ".+",
};

/**
 * Turns a phrase with holes, such as `delete {symbol}( from my list)?`, into a pattern for a whole request, in any case
 * and with any white space. Besides `{hole}`, a phrase may use `(a|b)` and `?` as in a regular expression.
 */
export const phrase = (words: string): RegExp => {
  const withHoles = words.replaceAll(/\{(\w+)\}/g, (_, hole: string) => `(?<${hole}>${HOLES[hole] ?? hole})`);
  return new RegExp(`^(?:${withHoles.replaceAll(" ", String.raw`\s+`)})$`, "is");
};
