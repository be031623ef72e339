/** Turns a phrase with holes, such as `delete {symbol}( from my list)?`, into a pattern for a whole request. */

/** What can stand in a hole. Each becomes a group of its name. */
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
 * The pattern of a phrase: any case, any white space, nothing before or after. Besides `{hole}` a phrase may use `(a|b)` and `?`
 * as in a regular expression.
 */
export const phrase = (words: string): RegExp => {
  const withHoles = words.replaceAll(/\{(\w+)\}/g, (_, hole: string) => `(?<${hole}>${HOLES[hole] ?? hole})`);
  return new RegExp(`^(?:${withHoles.replaceAll(" ", String.raw`\s+`)})$`, "is");
};
