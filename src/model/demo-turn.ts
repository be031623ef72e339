/** Decides what the demo model does next, from the conversation alone: the same conversation gives the same step. */
import { GetStockOutput } from "../contract/get-stock.ts";
import { answerTo, DEMO_HELP, DEMO_INTRODUCTION, DEMO_NOT_UNDERSTOOD, parseOutput } from "./demo-answer.ts";
import { type DoneCall, readTurn } from "./demo-conversation.ts";
import { readWish, type Wish } from "./demo-intent.ts";
import type { ModelRequest } from "./model.ts";

/** What one model message says, and the call it makes, if any. `id` is unique in the conversation. */
export type DemoStep = { readonly text: string; readonly call?: DemoCall };

/** A call as the model asks for it. */
export type DemoCall = {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
};

/** Said before a call. Tools that are not listed have no need of words. */
const ANNOUNCEMENTS: Readonly<Record<string, string>> = {
  "add-stock": "I add it to your list.",
  "get-stock": "I look it up.",
  "list-stocks": "I look at your list.",
  "update-stock": "I change it.",
  "delete-stock": "I delete it.",
  "view-screen": "I look at your screen.",
  navigate: "I take you there.",
};

type Plan = { say: string } | { call: Omit<DemoCall, "id"> };

const plan = (wish: Wish, done: readonly DoneCall[]): Plan => {
  const last = done.at(-1);
  switch (wish.type) {
    case "help":
      return { say: DEMO_HELP };
    case "unknown":
      return { say: DEMO_NOT_UNDERSTOOD };
    case "call":
      return last === undefined ? { call: { name: wish.tool, input: wish.input } } : { say: answerTo(last) };
    default:
      return planForStock(wish, last);
  }
};

/** First the stock, by its symbol; then what is wanted of it, by its id. */
const planForStock = (wish: Exclude<Wish, { type: "unknown" | "help" | "call" }>, last: DoneCall | undefined): Plan => {
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
  const { prompt, isFirstMessage, done, freshCallId } = readTurn(messages);
  const planned = plan(readWish(prompt), done);
  const introduce = (text: string) => [...(isFirstMessage ? [DEMO_INTRODUCTION] : []), text].join("\n\n").trim();
  if ("say" in planned) return { text: introduce(planned.say) };
  const { name, input } = planned.call;
  if (!tools.some((tool) => tool.name === name))
    return { text: introduce(`This needs the tool \`${name}\`, which I am not given here.`) };
  return { text: introduce(ANNOUNCEMENTS[name] ?? ""), call: { id: freshCallId, name, input } };
};
