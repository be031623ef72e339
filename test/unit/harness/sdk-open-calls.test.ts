/** Calls that the agent SDK leaves without a result when it ends its turn. */
import { expect, it } from "vitest";
import { called, DONE, OVER_BUDGET, runOn } from "../../support/agent-sdk/host-in-memory.ts";
import { editTool } from "../../support/loop-world.ts";

const ADD = { id: "toolu_add", name: "mcp__tally__add-stock", input: {} };

it.each([
  ["a turn that stops for its budget", OVER_BUDGET],
  ["a turn that ends by itself", DONE],
])("an action without a result in %s is asked about once, and the run waits", async (_, result) => {
  const budget = { before: () => undefined, leftUsd: () => 1 };
  const tools = [editTool("add-stock")];
  const { outcome, journal, turns } = await runOn([...called(ADD), result], { budget, tools });
  expect([outcome, turns]).toEqual([{ type: "waiting" }, 1]);
  expect(journal.commits).toEqual(["open m2", "close 1 tool_use", "ask 1-0"]);
});

it("a made-up call by the bare name of an action is none of ours: it is neither asked about nor run", async () => {
  const bare = { ...ADD, name: "add-stock" };
  const { outcome, journal } = await runOn([...called(bare), DONE], { tools: [editTool("add-stock")] });
  expect(outcome).toMatchObject({ type: "ended", status: "completed" });
  expect(journal.commits).toEqual(["open m2", "close 1 tool_use", "end 1-0 aborted"]);
});
