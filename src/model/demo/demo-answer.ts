/** What the demo model says: about itself, and about what a tool gave back. */
import type { z } from "zod";
import { parseJson } from "../../contract/parse-json.ts";
import { cutText } from "../../contract/plain-text.ts";
import { ViewScreenOutput } from "../../contract/screen/view-screen.ts";
import { GetStockOutput } from "../../contract/stocks/get-stock.ts";
import { ListStocksOutput } from "../../contract/stocks/list-stocks.ts";
import type { Stock } from "../../contract/stocks/stock.ts";
import { UpdateStockOutput } from "../../contract/stocks/update-stock.ts";

/** A call of this turn with its result. */
export type DoneCall = {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: string;
  readonly isError: boolean;
};

/** Longest output that is quoted, in UTF-16 units: the tool card beside it has the rest. */
const MAX_QUOTE_LENGTH = 2_000;

/** A text as a code block, with a fence longer than any inside it. */
export const fenced = (text: string): string => {
  const quote = text.length > MAX_QUOTE_LENGTH ? `${cutText(text, MAX_QUOTE_LENGTH)}\n…` : text;
  const longest = Math.max(2, ...[...quote.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${quote.trimEnd()}\n${fence}`;
};

/** A text within a sentence if it is one line, otherwise as a code block. */
const quoted = (text: string): string => (text.includes("\n") ? `\n\n${fenced(text)}` : text);

/** Says that a message was left out for the one that came with it. */
export const leftOut = (message: string): string =>
  `Of several messages I take up only the last. Please send this one again: ${quoted(message)}`;

let hundredths: Intl.NumberFormat | undefined;

/** A computed figure rounded to hundredths. Decimals of any length are read exactly. */
const rounded = (figure: string): string => {
  hundredths ??= new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
  return hundredths.format(figure as Intl.StringNumericLiteral);
};

/** One stock in a line: what is held, what it is worth, its targets. Unknown figures are left out. */
const describeStock = (stock: Stock): string => {
  const { currency } = stock;
  const facts = [
    stock.quantity !== null &&
      `${stock.quantity} held${stock.avgCost === null ? "" : ` at ${stock.avgCost} ${currency}`}`,
    stock.marketValue !== null && `worth ${rounded(stock.marketValue)} ${currency}`,
    stock.gainPct !== null &&
      `${rounded(stock.gainPct).replace("-", "")} % ${stock.gainPct.startsWith("-") ? "loss" : "gain"}`,
    stock.quantity === null &&
      stock.lastPrice !== null &&
      `last price ${stock.lastPrice} ${currency}${stock.lastPriceAt === null ? "" : ` of ${stock.lastPriceAt.slice(0, 10)}`}`,
    stock.watched && "on the watchlist",
    stock.targetLow !== null && `buy target ${stock.targetLow}`,
    stock.targetHigh !== null && `sell target ${stock.targetHigh}`,
    stock.notes !== null && `note: ${stock.notes}`,
  ].filter((fact) => fact !== false);
  const name = stock.name === stock.symbol ? "" : ` (${stock.name})`;
  return `**${stock.symbol}**${name}: ${facts.join(", ") || "no details"}`;
};

/** The parts of a list that are read here. Conversations hold answers of earlier releases, which had fewer fields. */
const Listed = ListStocksOutput.pick({ items: true, total: true, totals: true });

/** A page of stocks as a list, with what they are worth. */
const listStocks = ({ items, total, totals }: z.infer<typeof Listed>, input: DoneCall["input"]): string => {
  if (items.length === 0) return sayNone(input);
  const rest = total - items.length;
  const worth = totals.flatMap(({ currency, value }) => (value === null ? [] : [`${rounded(value)} ${currency}`]));
  return [
    ...items.map((stock) => `- ${describeStock(stock)}`),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
    ...(worth.length > 0 ? ["", `Together worth ${worth.join(" and ")}.`] : []),
  ].join("\n");
};

const HOW_TO_BEGIN = 'Say "add 10 AAPL at 180" or "watch NVDA below 120" to begin.';

/** What is missing, and what would put it there. */
const sayNone = ({ status, watched, targetHit, q }: DoneCall["input"]): string => {
  if (q !== undefined) return "There aren't any.";
  if (targetHit === true) return "No target has been reached.";
  if (status === "holding") return `You hold no stocks yet. ${HOW_TO_BEGIN}`;
  return watched === true ? `Your watchlist is empty. ${HOW_TO_BEGIN}` : `Your list is empty. ${HOW_TO_BEGIN}`;
};

/** Said once in each conversation. */
export const DEMO_INTRODUCTION =
  "I'm the demo model: no model credential is set, so I only understand plain requests, but the tools I use are real.";

/** Said when it is asked what it can do. */
export const DEMO_HELP =
  'I understand, for example: "add 10 AAPL at 180", "watch NVDA below 120", "what do I own", "show my watchlist", "which targets are reached", "what changed", "set AAPL target low 150", "delete TSLA", "open AAPL", "what am I looking at", "list files", "read notes.md", "search TODO", "write notes.md: hello", "run ls", "ask me something" and "check my list". With “Plan first”, I propose a plan before I change anything.';

/** Said to anything that is not understood. */
export const DEMO_NOT_UNDERSTOOD = `I didn't understand that. ${DEMO_HELP}`;

/** A tool's output by its contract; undefined when it does not match, for example because it was cut. */
export const parseOutput = <Schema extends z.ZodType>(schema: Schema, output: string): z.infer<Schema> | undefined => {
  // The output may be in a fence that marks it as data.
  const json = output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1);
  try {
    return schema.safeParse(parseJson(json)).data;
  } catch {
    // Not JSON: the caller shows it as it is.
    return undefined;
  }
};

/** Each tool's result in words. Undefined when the output is not what the tool promises. */
const WORDS: Readonly<Record<string, (call: DoneCall) => string | undefined>> = {
  "add-stock": ({ output }) => describeResult("Added", output),
  "update-stock": ({ output }) => describeResult("Changed", output),
  "get-stock": ({ output }) => {
    const found = parseOutput(GetStockOutput, output);
    return found && describeStock(found.stock);
  },
  "list-stocks": (call) => {
    const found = parseOutput(Listed, call.output);
    return found && listStocks(found, call.input);
  },
  "delete-stock": () => "Deleted. It stays in the trash for 30 days.",
  "view-screen": ({ output }) => {
    const found = parseOutput(ViewScreenOutput, output);
    return found && (found.open === null ? found.summary : `${found.summary}\n\nOpen: ${describeStock(found.open)}`);
  },
  navigate: () => "Done.",
  read_file: ({ input, output }) => `Here is \`${input.path}\`:\n\n${fenced(output)}`,
  list_files: ({ output }) => `Here are the files:\n\n${fenced(output)}`,
  search_files: ({ output }) => `I found:\n\n${fenced(output)}`,
  write_file: ({ input }) => `I wrote \`${input.path}\`.`,
  delete_file: ({ input }) => `I deleted \`${input.path}\`.`,
  // What comes after the app's own sentence.
  ask_user: ({ output }) => `You answered:\n\n${fenced(output.slice(output.indexOf("Question: ")))}`,
  run_shell: ({ output }) => `The command printed:\n\n${fenced(output)}`,
};

const describeResult = (verb: string, output: string): string | undefined => {
  const parsed = parseOutput(UpdateStockOutput, output);
  return parsed && `${verb}: ${describeStock(parsed.stock)}`;
};

/** How the result of a call that a person refused begins (see `run/answer-request`, `harness/question-answers`, `harness/plan-mode`). */
const REFUSED: readonly (readonly [beginning: string, words: string])[] = [
  ["The person rejected this call.", "You rejected it."],
  ["The person declined to answer.", "You declined to answer."],
  ["The person wants another plan.", "All right, I changed nothing. Tell me what you want instead."],
];

/** The answer to a call's result: in words, or the tool's own text when it failed or cannot be read. */
export const answerTo = (call: DoneCall): string => {
  if (call.isError) {
    const refused = REFUSED.find(([beginning]) => call.output.startsWith(beginning));
    return refused?.[1] ?? `That didn't work: ${quoted(call.output)}`;
  }
  return WORDS[call.tool]?.(call) ?? fenced(call.output);
};
