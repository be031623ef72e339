/** A stream of the provider's that breaks. `agent-sdk/broken-streams.test.ts` has what the agent SDK makes of it. */
import { expect, it } from "vitest";
import { brokenOff, DONE, MESSAGE_STOP, runOn, said, saidUntil } from "../../support/agent-sdk/host-in-memory.ts";
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

it("a message that the SDK ends without a reason is dropped, since it is streamed again", async () => {
  const half = said("Who").slice(0, 2);
  const { outcome, journal } = await runOn([...half, MESSAGE_STOP, ...said("Whole."), DONE]);
  expect(outcome).toMatchObject({ type: "ended", status: "completed" });
  expect(journal.commits).toEqual(["open m2", "discard m2", "open m3", "close 1 end_turn"]);
});

it("what a model said before another one was asked is dropped, however it ends", async () => {
  const refused = saidUntil("refusal", "Half of it");
  const fallback = { type: "system", subtype: "model_refusal_fallback", trigger: "refusal" };
  const { outcome, journal } = await runOn([
    ...refused.slice(0, 2),
    fallback,
    ...refused.slice(2),
    ...said("Whole."),
    DONE,
  ]);
  expect(outcome).toMatchObject({ type: "ended", status: "completed" });
  expect(journal.commits).toEqual(["open m2", "discard m2", "open m3", "close 1 end_turn"]);
});

it("one that has a call goes on with it", async () => {
  const call = { id: "toolu_1", name: "Read", input: { file_path: "a" } };
  const result = {
    type: "user",
    message: { content: [{ type: "tool_result", tool_use_id: call.id, content: "found" }] },
  };
  const { journal } = await runOn([...brokenOff(call), MESSAGE_STOP, result, ...said("Done."), DONE]);
  expect(journal.commits).toEqual([
    ...["open m2", "close 1 tool_use", "end 1-0 completed", "open m3", "close 2 end_turn"],
  ]);
});
