/** Where the demo model finds what it was asked: in a turn that a person has written to, and behind one that was stopped. */
import { describe, expect, it } from "vitest";
import { joinRoles } from "../../../src/harness/anthropic/conversation.ts";
import { repairTurn } from "../../../src/harness/anthropic/keep-turn.ts";
import { withSaid } from "../../../src/harness/anthropic/said-meanwhile.ts";
import { PLAN_ACCEPTED, PLAN_CONTEXT } from "../../../src/harness/plan-mode.ts";
import { nextStep } from "../../../src/model/demo/demo-turn.ts";
import type { Message } from "../../../src/model/messages.ts";

const tools = ["add-stock", "get-stock", "list-stocks", "propose_plan"].map((name) => ({
  ...{ name, description: "", inputSchema: {} },
}));

const context = (...lines: readonly string[]): string => ["<context>", ...lines, "</context>"].join("\n");

const asked = (prompt: string, said: string): Message => ({
  role: "user",
  content: [
    { type: "text", text: said, isOurs: true },
    { type: "text", text: prompt },
  ],
});

const called = (name: string): Message => ({
  role: "assistant",
  content: [{ type: "tool_use", id: `of_${name}`, name, input: {} }],
});

const gave = (name: string, content: string): Message => ({
  role: "user",
  content: [{ type: "tool_result", tool_use_id: `of_${name}`, content }],
});

const LEFT_OUT = "Of several messages I take up only the last. Please send this one again: watch NVDA";

const next = (messages: readonly Message[]) => nextStep({ tools, messages });

describe("what a person sends to the running turn", () => {
  const added = [asked("add 10 AAPL at 180", context("Today is 2026-11-20 (UTC).")), called("add-stock")];
  const steered = withSaid([...added, gave("add-stock", "It is in the list.")], ["watch NVDA"]);

  it("is done next, and what was done before is still reported, once", () => {
    const first = next(steered);
    expect(first.call).toMatchObject({ name: "get-stock", input: { symbol: "NVDA" } });
    expect(first.text).toContain("It is in the list.");
    const later = next([...steered, called("get-stock"), gave("get-stock", "{}")]);
    expect(later.text).not.toContain("It is in the list.");
    const told: Message = { role: "assistant", content: [{ type: "text", text: "It is in the list." }] };
    const behindAnswer = withSaid([...added, gave("add-stock", "It is in the list."), told], ["watch NVDA"]);
    expect(next(behindAnswer)).toMatchObject({ text: "I'll look it up.", call: { name: "get-stock" } });
  });

  it("is done of several the last, while the others are named once, and also where notes of the app follow", () => {
    const noted: Message[] = withSaid(steered, ["list my stocks"]).map((message, nth) =>
      nth < 2
        ? message
        : { ...message, content: [...message.content, { type: "text", text: "A note.", isOurs: true }] },
    );
    expect(next(noted)).toMatchObject({ text: expect.stringContaining(LEFT_OUT), call: { name: "list-stocks" } });
    const later = next([...noted, called("list-stocks"), gave("list-stocks", "{}")]);
    expect(later.text).not.toContain(LEFT_OUT);
  });

  it("before the first answer is done instead of the prompt, which is named as well", () => {
    const both = withSaid([asked("watch NVDA", context("Today is 2026-11-20 (UTC)."))], ["list my stocks"]);
    expect(next(both)).toMatchObject({ text: expect.stringContaining(LEFT_OUT), call: { name: "list-stocks" } });
  });

  it("is planned like the turn's prompt, until a plan is accepted", () => {
    const looked = [
      asked("list my stocks", context("Today is 2026-11-20 (UTC).", PLAN_CONTEXT)),
      called("list-stocks"),
    ];
    const seen = [...looked, gave("list-stocks", "{}")];
    expect(next(withSaid(seen, ["watch NVDA"])).call).toMatchObject({ name: "propose_plan" });
    const accepted = [...seen, called("propose_plan"), gave("propose_plan", PLAN_ACCEPTED)];
    expect(next(withSaid(accepted, ["watch NVDA"])).call).toMatchObject({ name: "get-stock" });
  });
});

describe("behind a turn that was stopped", () => {
  const old = context("Today is 2026-11-01 (UTC).", PLAN_CONTEXT);
  const today = context("Today is 2026-11-20 (UTC).");

  it.each([
    ["at a card", [asked("add AAPL", old), called("add-stock")]],
    ["before any answer", [asked("add AAPL", old)]],
  ])("%s, the mode is that of the new turn", (_, stopped) => {
    const messages = joinRoles([...repairTurn(stopped), asked("watch NVDA", today)]);
    expect(next(messages).call).toMatchObject({ name: "get-stock" });
  });
});
