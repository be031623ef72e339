/** What the demo model asks, plans and ticks off, so that a new user can try it. */
import { describe, expect, it } from "vitest";
import { QuestionsInput } from "../../../src/contract/guidance/question.ts";
import { TodosInput } from "../../../src/contract/guidance/todo.ts";
import { PLAN_ACCEPTED, PLAN_CONTEXT, PLAN_TO_CHANGE } from "../../../src/harness/plan-mode.ts";
import { answersText, DECLINED } from "../../../src/harness/question-answers.ts";
import { demoModel } from "../../../src/model/demo/demo-model.ts";
import type { Message } from "../../../src/model/messages.ts";
import { ask, collect } from "../../support/ask-model.ts";
import { talkToDemo } from "../../support/talk-to-demo.ts";

const NONE = { items: [], total: 0, nextCursor: null, totals: [] };

describe("asked to ask", () => {
  it("asks questions that the tool takes, and repeats the answers", async () => {
    const questions = [{ question: "What?", options: [], multiple: false }];
    const { calls, answer } = await talkToDemo("Ask me something.", { ask_user: answersText(questions, [["This"]]) });
    expect(calls.map(({ name }) => name)).toEqual(["ask_user"]);
    expect(QuestionsInput.safeParse(calls[0]?.input).success).toBe(true);
    expect(answer).toContain("Question: What?\nAnswer: This");
  });

  it("accepts that nobody wants to answer", async () => {
    const { answer } = await talkToDemo("ask me a question", { ask_user: new Error(DECLINED) });
    expect(answer).toBe("You declined to answer.");
  });
});

it("asked to check the list, it ticks its steps", async () => {
  const { calls } = await talkToDemo("check my list", { set_todos: "Shown.", "list-stocks": NONE });
  expect(calls.map(({ name }) => name)).toEqual([
    ...["set_todos", "list-stocks", "set_todos", "list-stocks", "set_todos"],
  ]);
  const states = calls
    .filter(({ name }) => name === "set_todos")
    .map(({ input }) => TodosInput.parse(input).items.map(({ state }) => state));
  expect(states).toEqual([
    ["doing", "open"],
    ["done", "doing"],
    ["done", "done"],
  ]);
});

describe("in plan mode", () => {
  /** What it does next, after these results of its calls. */
  const next = async (
    prompt: string,
    ...done: readonly (readonly [tool: string, output: string, isError: boolean])[]
  ) => {
    const context = { type: "text", text: `<context>\n${PLAN_CONTEXT}\n</context>`, isOurs: true } as const;
    const messages: Message[] = [{ role: "user", content: [context, { type: "text", text: prompt }] }];
    for (const [nth, [name, content, isError]] of done.entries()) {
      const id = `call_${nth}`;
      messages.push({ role: "assistant", content: [{ type: "tool_use", id, name, input: {} }] });
      messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content, is_error: isError }] });
    }
    const tools = ["propose_plan", "add-stock", "list-stocks"].map((name) => ({
      name,
      description: "",
      inputSchema: {},
    }));
    return JSON.stringify(await collect(demoModel, ask("", { tools, messages })));
  };

  it("proposes a change, then makes it", async () => {
    expect(await next("add AAPL")).toContain('"name":"propose_plan"');
    expect(await next("add AAPL", ["propose_plan", PLAN_ACCEPTED, false])).toContain('"name":"add-stock"');
  });

  it("changes nothing when the plan is refused, and looks without a plan", async () => {
    expect(await next("add AAPL", ["propose_plan", PLAN_TO_CHANGE, true])).not.toContain("tool_use");
    expect(await next("what do I own")).toContain('"name":"list-stocks"');
  });
});
