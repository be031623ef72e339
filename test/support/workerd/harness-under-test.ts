/** Both harnesses with the same turns to play: our own loop with a scripted model, the agent SDK with recordings. */
import { env } from "cloudflare:test";
import { inject } from "vitest";
import { callTool, say } from "../model-script.ts";
import { holdBefore } from "../model-troubles.ts";
import { scriptModel } from "../scripted-model.ts";
import { askAsDeveloper } from "./ask-as-developer.ts";
import { sdkThread } from "./sdk-thread.ts";

/** What a turn does, whoever drives it. */
export type Play =
  /** Says "Hello there."; the next turn says "You said hello." */
  | "talks"
  /** Adds AAPL, which asks a person, and says "Added." */
  | "adds"
  /** Never gets an answer. */
  | "hangs";

const REPLIES = {
  // One more each: a crash in the middle of an answer has the model asked again.
  talks: [say("Hello there."), say("You said hello."), say("You said hello.")],
  adds: [callTool("add-stock", { symbol: "AAPL" }), say("Added."), say("Added.")],
  hangs: [holdBefore(say("Never.")), say("Hello there.")],
} as const;

const RECORDINGS = {
  talks: "[replay:two-turns] Hello",
  adds: "[replay:stock-asked] Add AAPL",
  hangs: "[hang]",
} as const;

/** A new thread of the developer, whose list is empty then, in which the play begins with the first prompt. */
export const threadOf = async (harness: "anthropic" | "agent-sdk", play: Play) => {
  const developers = ["stock_events", "stocks"].map(
    (table) => `DELETE FROM ${table} WHERE owner_email = 'dev@local.test'`,
  );
  await env.DB.batch(developers.map((sql) => env.DB.prepare(sql)));
  const thread = sdkThread();
  const model = harness === "anthropic" ? await scriptModel(inject("modelUrl"), REPLIES[play]) : undefined;
  const prompt = model?.prompt("Go") ?? RECORDINGS[play];
  return {
    ...thread,
    begin: () => thread.start(prompt, harness),
    /** Resolves when a model that never answers has been asked: stopped before that, it would have the next turn hang. */
    hangs: async (): Promise<void> => void (await model?.reaches(1, "held")),
    goOn: (text = "What did I say?") => thread.start(text, harness),
    /** How many stocks there are. */
    stocks: async (): Promise<number> =>
      Object((await askAsDeveloper("POST", "/_framework/actions/list-stocks", {})).body).total,
    rules: async (): Promise<readonly unknown[]> =>
      Object((await askAsDeveloper("GET", `/_framework/threads/${thread.threadId}/rules`)).body).rules,
  };
};
