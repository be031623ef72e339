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

/** Fields that are text and go through as they stand. */
const TEXT_FIELDS = ["name", "sector", "currency"];

/** A symbol in the spelling of the list. Whether it can be one is for the action to say. */
export const readSymbol = (word = ""): string => word.toUpperCase();

/** An amount such as `1,250.50`, `$180` or `180 EUR`; the currency only when it is named. */
export const readAmount = (words: string | undefined): { amount?: string; currency?: string } => {
  const match = /^([$€£])?\s*(\d[\d,]*(?:\.\d+)?)\s*([a-z]{3})?$/i.exec(words?.trim() ?? "");
  if (match === null) return {};
  const [, sign = "", amount = "", code] = match;
  const currency = code?.toUpperCase() ?? CURRENCY_SIGNS[sign];
  return { amount: amount.replaceAll(",", ""), ...(currency !== undefined && { currency }) };
};

/** A change of one field. A value that is no amount goes through, for the action's refusal says what it should be. */
export const readField = (field = "", value = ""): Readonly<Record<string, string>> => {
  const name = FIELDS[field.toLowerCase()] ?? field;
  return { [name]: TEXT_FIELDS.includes(name) ? value : (readAmount(value).amount ?? value) };
};
