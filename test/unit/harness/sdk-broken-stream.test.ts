/** A stream of the provider's that breaks behind a call: the agent SDK streams the message again. */
import { expect, it } from "vitest";
import { brokenOff, DONE, runOn, said } from "../../support/agent-sdk/host-in-memory.ts";
import { editTool } from "../../support/loop-world.ts";

it.each([
  [
    "an edit",
    { id: "toolu_edit", name: "Edit", input: { file_path: "notes.txt" } },
    {
      ...{ type: "permission", tool: "Edit", input: {} },
      subject: { type: "command", command: "id", dir: "." },
    },
    { type: "deny" },
  ],
  [
    "an action",
    { id: "toolu_add", name: "mcp__tally__add-stock", input: {} },
    { type: "tool", name: "add-stock", input: {} },
    { type: "tool", isError: true },
  ],
])("a question about %s in the part that is dropped is answered, so that nothing waits for it", async (...given) => {
  const [, call, question, answer] = given;
  const asking = { ...question, questionId: "q1", toolUseId: call.id };
  const tools = [editTool("add-stock")];
  const { outcome, journal, asked } = await runOn([...brokenOff(call), asking, ...said("Again."), DONE], { tools });
  expect(outcome).toMatchObject({ type: "ended", status: "completed" });
  expect(journal.commits).toEqual(["open m2", "discard m2", "open m3", "close 1 end_turn"]);
  expect(asked("result")).toMatchObject([{ questionId: "q1", answer }]);
});
