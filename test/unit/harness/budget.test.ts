/** The loop under a budget: it asks before each model call, including retries, and makes none that is not allowed. */
import { expect, inject, it } from "vitest";
import { runTurn } from "../../../src/harness/anthropic/loop.ts";
import type { BudgetStop } from "../../../src/harness/budget.ts";
import type { ModelRequest } from "../../../src/model/model.ts";
import { modelAt } from "../../support/ask-model.ts";
import { loopWorld, newTurn, readTool } from "../../support/loop-world.ts";
import { callTool, say } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { rateLimited } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";

const QUESTION: BudgetStop = {
  type: "ask",
  call: { toolCallId: "budget-1", tool: "budget", kind: "execute", title: "Spend more than $0.50" },
  ask: {
    subject: { type: "budget", limitUsd: "0.5", spentUsd: "0.4" },
    options: [{ decision: "allow_once", label: "Spend up to $1.00" }],
    rule: undefined,
  },
};

/** A turn whose budget answers like this, one call after the other; the last answer stays. */
const turnWith = async (replies: readonly Reply[], answers: readonly (BudgetStop | undefined)[]) => {
  const script = await scriptModel(inject("modelUrl"), replies);
  const asked: ModelRequest[] = [];
  const before = (request: ModelRequest) => {
    asked.push(request);
    return answers[Math.min(asked.length, answers.length) - 1];
  };
  const deps = loopWorld(modelAt(inject("modelUrl")), [readTool("read_file")], { budget: { before } });
  const outcome = await runTurn(newTurn(script.prompt("Hi")), deps, new AbortController().signal);
  return { outcome, asked, commits: deps.journal.commits, asks: deps.journal.asks, sent: await script.requests() };
};

it("is asked before each call, with what would be sent", async () => {
  const { outcome, asked, sent } = await turnWith([callTool("read_file", {}), say("Done.")], [undefined]);
  expect(outcome).toMatchObject({ type: "ended", status: "completed" });
  expect(asked.map(({ messages }) => messages.length)).toEqual([1, 3]);
  expect(sent).toHaveLength(2);
});

it("stops the turn where a person has to say more, before anything is sent", async () => {
  const { outcome, commits, asks, sent } = await turnWith(
    [callTool("read_file", {}), say("Never.")],
    [undefined, QUESTION],
  );
  expect(outcome).toEqual({ type: "waiting" });
  expect(commits).toEqual(["open m1", "close 1 tool_use", "end 1-0 completed", "ask budget-1"]);
  expect(asks).toEqual([QUESTION.type === "ask" ? QUESTION.ask : undefined]);
  expect(sent).toHaveLength(1);
});

it("ends the turn where somebody said no", async () => {
  const { outcome, commits, sent } = await turnWith([say("Never.")], [{ type: "refused" }]);
  expect(outcome).toEqual({ type: "ended", status: "incomplete", stopReason: "budget", error: null });
  expect([commits, sent]).toEqual([[], []]);
});

it("is asked before a further try as well", async () => {
  const { outcome, commits, sent } = await turnWith([rateLimited(), say("Never.")], [undefined, QUESTION]);
  expect(outcome).toEqual({ type: "waiting" });
  expect(commits).toEqual(["retry 1 model_rate_limited", "ask budget-1"]);
  expect(sent).toHaveLength(1);
});

it("that is gone ends the turn before a step is prepared, and asks nobody", async () => {
  const script = await scriptModel(inject("modelUrl"), [callTool("read_file", {}), say("Never.")]);
  const left = [false, true];
  const budget = { isDayUsedUp: () => left.shift() ?? true, before: () => undefined };
  const deps = loopWorld(modelAt(inject("modelUrl")), [readTool("read_file")], { budget });
  const outcome = await runTurn(newTurn(script.prompt("Hi")), deps, new AbortController().signal);
  expect(outcome).toEqual({ type: "ended", status: "incomplete", stopReason: "budget", error: null });
  expect(await script.requests()).toHaveLength(1);
});
