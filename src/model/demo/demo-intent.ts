/** Reads what a person wants from the demo model, in the few phrasings that it knows. Pure. */
import { phrase, readAmount, readField, readSymbol } from "./demo-words.ts";

type ToolInput = Readonly<Record<string, unknown>>;

/** A wish, and all of it that can be known before any tool has run. */
export type Wish =
  /** Takes a single call. */
  | { readonly type: "call"; readonly tool: string; readonly input: ToolInput }
  /** These need the stock's id, which a `get-stock` must find first. */
  | { readonly type: "delete_stock" | "open_stock"; readonly symbol: string }
  | { readonly type: "update_stock"; readonly symbol: string; readonly set: ToolInput }
  /** Takes several calls, and shows to-dos. */
  | { readonly type: "review" }
  /** Changes the stock when it is in the list already, and adds it otherwise. `set` is for both, `add` for a new one alone. */
  | { readonly type: "watch_stock"; readonly symbol: string; readonly set: ToolInput; readonly add: ToolInput }
  /** What was changed in the last `days` days, or at any time, according to the histories of the stocks that were changed last. */
  | { readonly type: "recent_changes"; readonly days: number | undefined }
  | { readonly type: "help" }
  | { readonly type: "unknown" };

/** What filled the holes of the phrase that matched. */
type Words = Readonly<Record<string, string | undefined>>;
type Rule = readonly [pattern: RegExp, wish: (words: Words) => Wish];

const call = (tool: string, input: ToolInput): Wish => ({ type: "call", tool, input });

const updateStock = ({ symbol }: Words, set: ToolInput): Wish => ({
  type: "update_stock",
  symbol: readSymbol(symbol),
  set,
});

const addStock = ({ symbol, quantity, price }: Words): Wish => {
  const { amount, currency } = readAmount(price);
  return call("add-stock", {
    symbol: readSymbol(symbol),
    ...(quantity !== undefined && { quantity: readAmount(quantity).amount }),
    ...(amount !== undefined && { avgCost: amount }),
    ...(currency !== undefined && { currency }),
  });
};

const watchStock = ({ symbol, price }: Words, target: ToolInput): Wish => {
  const { currency } = readAmount(price);
  return {
    type: "watch_stock",
    symbol: readSymbol(symbol),
    set: { watched: true, ...target },
    add: currency === undefined ? {} : { currency },
  };
};

/** How many days back a word reaches. Without one, all changes count. */
const DAYS: Readonly<Record<string, number>> = { today: 1, "this week": 7 };

/** What the demo model asks when it is told to ask something. */
const DEMO_QUESTIONS = [
  {
    question: "What are you most interested in?",
    options: [
      { label: "What I own", description: "Holdings and what they are worth." },
      { label: "What I watch", description: "Stocks with a price in mind." },
    ],
  },
  {
    question: "Which targets matter to you?",
    options: [{ label: "Prices to buy at" }, { label: "Prices to sell at" }],
    multiple: true,
  },
];

/** Matched before courtesies are stripped: commands, file contents and notes are taken literally. */
const LITERAL_RULES: readonly Rule[] = [
  // A command begins behind all white space: with a choice of where it begins, the time would grow with the square of the blanks.
  [phrase("(run|execute) (`\\s*)?(?<command>[^`\\s][^`]*?)`?"), ({ command }) => call("run_shell", { command })],
  [phrase("(write|create) (?<path>\\S+?): {text}"), ({ path, text }) => call("write_file", { path, content: text })],
  [
    phrase("(update|set|change) {symbol}('s)? notes?( to|:)? {text}"),
    (words) => updateStock(words, { notes: words.text }),
  ],
];

/** The first match wins. */
const RULES: readonly Rule[] = [
  [phrase("ask me( something| a question| questions)?"), () => call("ask_user", { questions: DEMO_QUESTIONS })],
  [phrase("(check|review)( all of)? my (list|stocks)"), () => ({ type: "review" })],
  [phrase("what am i (looking at|seeing)"), () => call("view-screen", {})],
  [phrase("what('s| is) on (my|the) screen"), () => call("view-screen", {})],
  [
    phrase("(go to|open|switch to)( my| the)? {tab}( tab| page)?"),
    ({ tab }) => call("navigate", { view: "stocks", tab: tab?.toLowerCase() }),
  ],
  [
    phrase("(go to|open|switch to)( my| the)? {view}( page| screen)?"),
    ({ view }) => call("navigate", { view: view?.toLowerCase() }),
  ],

  [phrase("(list|show)( me)?( all)?( the| my)? files"), () => call("list_files", {})],
  [phrase("(list|show)( me)?( all)?( the| my)? files (in|under) {path}"), ({ path }) => call("list_files", { path })],
  [phrase("(read|cat) {path}"), ({ path }) => call("read_file", { path })],
  [phrase("(open|show( me)?|what('s| is) in) {file}"), ({ file }) => call("read_file", { path: file })],
  [phrase("(delete|remove) {file}"), ({ file }) => call("delete_file", { path: file })],

  [phrase("(what|which)( stocks?)? do i (own|hold|have)"), () => call("list-stocks", { status: "holding" })],
  [phrase("(list|show)( me)?( my| the)? (holdings|portfolio)"), () => call("list-stocks", { status: "holding" })],
  [phrase("(list|show)( me)?( my| the)? watch( )?list"), () => call("list-stocks", { watched: true })],
  [phrase("(list|show)( me)?( all)?( of)?( my| the)? stocks"), () => call("list-stocks", {})],
  [phrase("(search|find)( in)?( my)? stocks( for)? {text}"), ({ text }) => call("list-stocks", { q: text })],

  [
    phrase("(what|which)( of my)?( price)? targets (are|were|have been) (hit|reached)"),
    () => call("list-stocks", { targetHit: true }),
  ],
  [
    phrase("what('s| has)? changed( lately| recently| (?<when>today|this week))?"),
    ({ when }) => ({ type: "recent_changes", days: DAYS[when?.toLowerCase().replace(/\s+/g, " ") ?? ""] }),
  ],

  [
    phrase("(watch|follow) {symbol} (below|under|at|for) {price}"),
    (words) => watchStock(words, { targetLow: readAmount(words.price).amount }),
  ],
  [
    phrase("(watch|follow) {symbol} (above|over) {price}"),
    (words) => watchStock(words, { targetHigh: readAmount(words.price).amount }),
  ],
  [phrase("(watch|follow) {symbol}"), (words) => watchStock(words, {})],
  [phrase("add {symbol} to (my|the) watchlist"), (words) => watchStock(words, {})],
  [phrase("(add|buy) {symbol}( to (my|the) (list|stocks))?"), addStock],
  [phrase("(add|buy) {quantity}( shares? of)? {symbol}( (at|for|@) {price})?( to (my|the) (list|stocks))?"), addStock],
  [phrase("(unwatch|stop watching) {symbol}"), (words) => updateStock(words, { watched: false })],
  [
    phrase("(delete|remove) {symbol}( from (my|the) (list|stocks|watchlist|portfolio))?"),
    ({ symbol }) => ({ type: "delete_stock", symbol: readSymbol(symbol) }),
  ],
  [
    phrase("(update|set|change)( the)? {field} (of|for) {symbol}( to)? {text}"),
    (words) => updateStock(words, readField(words.field, words.text)),
  ],
  [
    phrase("(update|set|change) {symbol}('s)? {field}( to)? {text}"),
    (words) => updateStock(words, readField(words.field, words.text)),
  ],
  [phrase("open {symbol}"), ({ symbol }) => ({ type: "open_stock", symbol: readSymbol(symbol) })],
  [phrase("(show( me)?|get) {symbol}"), ({ symbol }) => call("get-stock", { symbol: readSymbol(symbol) })],
  [phrase("(what can you do|what do you understand|help)( here)?( me)?"), () => ({ type: "help" })],
  [phrase("(search|find|grep)( for)? {text}"), ({ text }) => call("search_files", { pattern: text })],
];

/** Longest request that is matched against the other rules, in UTF-16 units: plain requests are shorter. */
const MAX_PLAIN_LENGTH = 500;

const firstWish = (rules: readonly Rule[], request: string): Wish | undefined => {
  for (const [pattern, wish] of rules) {
    const match = pattern.exec(request);
    if (match !== null) return wish(match.groups ?? {});
  }
  return undefined;
};

const withoutCourtesies = (request: string): string =>
  request
    .replace(/^(?:(?:please|hey|hi|ok|now|can you|could you)\b[\s,]*)+/i, "")
    .replace(/(?:[\s,]+please)?[\s.!?]*$/i, "");

/** Reads a prompt. Never fails: what matches no rule is `unknown`. */
export const readWish = (prompt: string): Wish => {
  const request = prompt.trim();
  const literal = firstWish(LITERAL_RULES, request);
  if (literal !== undefined || request.length > MAX_PLAIN_LENGTH) return literal ?? { type: "unknown" };
  return firstWish(RULES, withoutCourtesies(request)) ?? { type: "unknown" };
};
