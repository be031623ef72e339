/** Decides what the demo model does next, from the conversation alone: the same conversation gives the same step. */
import { GetStockOutput } from "../../contract/stocks/get-stock.ts";
import type { ContentBlock, Message, ToolUseBlock } from "../messages.ts";
import type { ModelRequest } from "../model.ts";
import {
  answerTo,
  DEMO_HELP,
  DEMO_INTRODUCTION,
  DEMO_NOT_UNDERSTOOD,
  type DoneCall,
  leftOut,
  parseOutput,
} from "./demo-answer.ts";
import { nextOfChanges, todayOf } from "./demo-changes.ts";
import { changesSomething, nextOfReview, PLAN_MODE, planFor } from "./demo-guidance.ts";
import { readWish, type Wish } from "./demo-intent.ts";

/** The turn so far. `done` is in the order of the calls. */
type DemoTurn = {
  readonly prompt: string;
  /** The turn is in plan mode, or was until its plan was accepted. */
  readonly isPlanned: boolean;
  /** When the day that the turn's context names began for the person. */
  readonly todayMs: number | undefined;
  /** What is to be told first, because the person has written since: a result, and messages that came with the last one. */
  readonly unsaid: readonly string[];
  /** Whether the model has said nothing yet in the whole conversation. */
  readonly isFirstMessage: boolean;
  readonly done: readonly DoneCall[];
  /** An id that no call of the conversation has. */
  readonly freshCallId: string;
};

const isToolUse = (block: ContentBlock): block is ToolUseBlock => block.type === "tool_use";

const isSaid = (block: ContentBlock): block is Extract<ContentBlock, { type: "text" }> =>
  block.type === "text" && block.isOurs !== true;

/** The person's own words: the last text of a user message that is not ours. Results of tools have no text. */
const promptOf = ({ role, content }: Message): string | undefined =>
  role === "user" ? content.findLast(isSaid)?.text : undefined;

/** How a person's message to the running turn begins, as `harness/anthropic/said-meanwhile` writes it. */
const SAID = /^\[The person sent this while you were working\.[^\]]*\]\s*/;

/** The blocks from the newest context block on, which `harness/turn-context` writes; all blocks where there is none. */
const behindContext = (blocks: readonly ContentBlock[]): readonly ContentBlock[] => {
  const at = blocks.findLastIndex((block) => oursIn(block).startsWith("<context>"));
  return blocks.slice(Math.max(0, at));
};

const oursIn = (block: ContentBlock | undefined): string =>
  block?.type === "text" && block.isOurs === true ? block.text : "";

/** Tools whose results are for the model alone. */
const UNTOLD: ReadonlySet<string> = new Set(["propose_plan", "set_todos"]);

const withResult = (call: ToolUseBlock, blocks: readonly ContentBlock[]): DoneCall[] => {
  const result = blocks.find((block) => block.type === "tool_result" && block.tool_use_id === call.id);
  if (result?.type !== "tool_result") return [];
  return [{ tool: call.name, input: call.input, output: result.content, isError: result.is_error ?? false }];
};

/** Reads the current turn from a conversation, starting at its last prompt: what was asked, and what the calls gave. */
const readTurn = (messages: readonly Message[]): DemoTurn => {
  const start = messages.findLastIndex((message) => promptOf(message) !== undefined);
  const asked = messages[start];
  const words = (asked && promptOf(asked)) ?? "";
  const prompt = words.replace(SAID, "");
  const isSteered = prompt !== words;
  // A message that a person sends to the running turn has no context of its own: the context of the turn's prompt applies.
  const [context, ...before] = behindContext(
    messages.slice(isSteered ? 0 : start, start + 1).flatMap(({ content }) => content),
  );
  const earlier = before.filter(isToolUse).flatMap((call) => withResult(call, before));
  const hasResult = asked?.content[0]?.type === "tool_result";
  const told = hasResult ? earlier.slice(-1).filter(({ tool }) => !UNTOLD.has(tool)) : [];
  const texts = behindContext(asked?.content ?? []).filter(isSaid);
  const others = texts.slice(0, -1).map(({ text }) => text.replace(SAID, ""));
  const blocks = messages.slice(start + 1).flatMap((message) => message.content);
  const usedIds = new Set(messages.flatMap((message) => message.content.filter(isToolUse).map((call) => call.id)));
  let serial = usedIds.size + 1;
  // Where old turns were left out, the count alone could give an id that is still there.
  while (usedIds.has(`demo_${serial}`)) serial += 1;
  return {
    prompt,
    isPlanned:
      oursIn(context).includes(PLAN_MODE) && !earlier.some(({ tool, isError }) => tool === "propose_plan" && !isError),
    todayMs: todayOf(oursIn(context)),
    unsaid: isSteered && messages.length === start + 1 ? [...told.map(answerTo), ...others.map(leftOut)] : [],
    isFirstMessage: messages.every((message) => message.role === "user"),
    done: blocks.filter(isToolUse).flatMap((call) => withResult(call, blocks)),
    freshCallId: `demo_${serial}`,
  };
};

/** What one model message says, and the call it makes, if any. `id` is unique in the conversation. */
export type DemoStep = { readonly text: string; readonly call?: DemoCall };

/** A call as the model asks for it. */
export type DemoCall = {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
};

/** Said before a call. Tools that are not listed need no words. */
const ANNOUNCEMENTS: Readonly<Record<string, string>> = {
  "add-stock": "I'll add it.",
  "get-stock": "I'll look it up.",
  "list-stocks": "Let me look at your list.",
  "update-stock": "I'll change it.",
  "delete-stock": "I'll delete it.",
  "view-screen": "Let me look at your screen.",
  navigate: "I'll take you there.",
  propose_plan: "This is what I would do.",
};

type Plan = { say: string } | { call: Omit<DemoCall, "id"> };

/** In plan mode, whatever changes something is proposed first. */
const planned = (wish: Wish, { prompt, todayMs, isPlanned, done }: DemoTurn): Plan => {
  if (!isPlanned || !changesSomething(wish)) return plan(wish, done, todayMs);
  const [proposed, ...rest] = done;
  if (proposed === undefined) return { call: planFor(prompt) };
  return proposed.isError ? { say: answerTo(proposed) } : plan(wish, rest, todayMs);
};

const plan = (wish: Wish, done: readonly DoneCall[], todayMs: number | undefined): Plan => {
  const last = done.at(-1);
  switch (wish.type) {
    case "help":
      return { say: DEMO_HELP };
    case "unknown":
      return { say: DEMO_NOT_UNDERSTOOD };
    case "review": {
      const next = nextOfReview(done);
      if (next !== undefined) return { call: next };
      const [all, hit] = done.filter(({ tool }) => tool === "list-stocks").map(answerTo);
      return { say: `${all}\n\nTargets that are reached:\n\n${hit}` };
    }
    case "call":
      return last === undefined ? { call: { name: wish.tool, input: wish.input } } : { say: answerTo(last) };
    case "recent_changes":
      return nextOfChanges(done, wish.days, todayMs);
    case "watch_stock":
      return planToWatch(wish, last);
    default:
      return planForStock(wish, last);
  }
};

/** Looks first: adding a stock that is in the list already would ask for permission, only to be refused. */
const planToWatch = (
  { symbol, set, add }: Extract<Wish, { type: "watch_stock" }>,
  last: DoneCall | undefined,
): Plan => {
  if (last?.tool === "get-stock" && last.isError && last.output.includes("not found")) {
    return { call: { name: "add-stock", input: { symbol, ...set, ...add } } };
  }
  return planForStock({ type: "update_stock", symbol, set }, last);
};

type OfStock = Extract<Wish, { type: "delete_stock" | "open_stock" | "update_stock" }>;

/** Finds the stock by its symbol first, and then does what was asked, by the stock's id. */
const planForStock = (wish: OfStock, last: DoneCall | undefined): Plan => {
  if (last === undefined) return { call: { name: "get-stock", input: { symbol: wish.symbol } } };
  const found = last.tool === "get-stock" && !last.isError ? parseOutput(GetStockOutput, last.output) : undefined;
  if (found === undefined) return { say: answerTo(last) };
  const { id, version } = found.stock;
  switch (wish.type) {
    case "delete_stock":
      return { call: { name: "delete-stock", input: { id } } };
    case "update_stock":
      return { call: { name: "update-stock", input: { id, version, set: wish.set } } };
    case "open_stock":
      return { call: { name: "navigate", input: { view: "stocks", stockId: id } } };
  }
};

/** The next message of the demo model. In the first of a conversation it says what it is. */
export const nextStep = ({ messages, tools }: Pick<ModelRequest, "messages" | "tools">): DemoStep => {
  const turn = readTurn(messages);
  const { isFirstMessage, freshCallId, unsaid } = turn;
  const next = planned(readWish(turn.prompt), turn);
  const introduce = (text: string) =>
    [...(isFirstMessage ? [DEMO_INTRODUCTION] : []), ...unsaid, text].join("\n\n").trim();
  if ("say" in next) return { text: introduce(next.say) };
  const { name, input } = next.call;
  if (!tools.some((tool) => tool.name === name))
    return { text: introduce(`This needs the tool \`${name}\`, which I don't have here.`) };
  return { text: introduce(ANNOUNCEMENTS[name] ?? ""), call: { id: freshCallId, name, input } };
};
