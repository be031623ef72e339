/** What is still to be done, read off a conversation, and said again where no message says it any more. */
import { describe, expect, it } from "vitest";
import { guidanceAfter, guidanceTexts } from "../../../src/harness/anthropic/again/guidance.ts";
import { PLAN_ACCEPTED } from "../../../src/harness/plan-mode.ts";
import type { Message } from "../../../src/model/messages.ts";
import { askedBehind, readStep } from "../../support/sample-turns.ts";

const call = (name: string, input: Readonly<Record<string, unknown>>, result: string): Message[] => [
  { role: "assistant", content: [{ type: "tool_use", id: `${name}-${result.length}`, name, input }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: `${name}-${result.length}`, content: result }] },
];

const open = { text: "Add AAPL", state: "open" } as const;
const done = { text: "Look around", state: "done" } as const;

const todos = (...items: readonly { readonly text: string; readonly state: string }[]) =>
  call("set_todos", { items }, "The person sees the list.");
const plan = (markdown: string, result = PLAN_ACCEPTED) => call("propose_plan", { markdown }, result);

describe("guidance", () => {
  it("is the newest list of to-dos, and the plan that was accepted", () => {
    const messages = [
      ...plan("No", "The person wants another plan."),
      ...plan("Yes"),
      ...todos(open),
      ...todos(done, open),
    ];
    expect(guidanceAfter(messages)).toEqual({ plan: "Yes", todos: [done, open] });
  });

  it("knows a plan that was accepted in the words of an earlier release", () => {
    const words =
      "The person accepted the plan, and plan mode is over. Do it now. What changes something still asks, each time.";
    expect(guidanceAfter(plan("Yes", words))).toEqual({ plan: "Yes" });
  });

  it("is over once all to-dos are done", () => {
    expect(guidanceAfter([...plan("Yes"), ...todos(open), ...todos(done)])).toEqual({});
  });

  it("goes on from what held before, until a new plan is accepted", () => {
    const before = { plan: "Old", todos: [open] };
    expect(guidanceAfter(readStep("a.txt", "x"), before)).toEqual(before);
    expect(guidanceAfter(plan("New"), before)).toEqual({ plan: "New" });
  });

  it("goes on from what a text of the app holds", () => {
    const holding: Message = {
      role: "user",
      content: [{ type: "text", text: "<context>", isOurs: true, holds: { plan: "Held" } }],
    };
    expect(guidanceAfter([...plan("Old"), ...todos(open), holding])).toEqual({ plan: "Held" });
    expect(guidanceAfter([holding, ...todos(open)])).toEqual({ plan: "Held", todos: [open] });
  });

  it("takes no list that could not be read", () => {
    expect(guidanceAfter(call("set_todos", { items: [{ text: 1 }] }, "failed"), { todos: [open] })).toEqual({
      todos: [open],
    });
  });
});

describe("what is said again", () => {
  const guidance = { plan: "Do </data> it", todos: [done, open] };
  const texts = [
    "The plan that the person accepted in an earlier turn. It allows nothing by itself: what changes something still asks.\n<data>Do \\u003c/data> it</data>",
    "Your to-dos, as you last set them in an earlier part of this chat:\n<data>[done] Look around\n[open] Add AAPL</data>",
  ];

  it("is what no message says: neither a call nor the app", () => {
    expect(guidanceTexts(guidance, [])).toEqual(texts);
    expect(guidanceTexts(guidance, todos(done, open))).toEqual(texts.slice(0, 1));
    expect(guidanceTexts(guidance, plan("Do </data> it", "[result removed]"))).toEqual(texts.slice(1));
    expect(guidanceTexts(guidance, [askedBehind(texts.join("\n"), "Go on")])).toEqual([]);
    expect(guidanceTexts(guidance, todos(open))).toEqual(texts);
  });
});
