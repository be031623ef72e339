/** A turn that an earlier release kept, larger than what is loaded at once. Its thread goes on with it and what was said before. */
import { expect, it } from "vitest";
import { say } from "../../support/model-script.ts";
import { chat, messagesOf } from "../../support/workerd/chat.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";

/** Together more than is loaded of a thread (`harness/stored-conversation`). */
const RESULTS = 9;
const RESULT_LENGTH = 1_000_000;

/** Puts calls and their results between the newest prompt and its answer. */
const addResults = (sql: SqlStorage): void => {
  const [row] = sql.exec<{ run_id: string; model: string; epoch: number }>(
    "SELECT * FROM block ORDER BY id DESC LIMIT 1",
  );
  const { run_id, model, epoch } = row ?? { run_id: "", model: "", epoch: 0 };
  const add = (message: number, role: string, block: object) =>
    sql.exec(
      "INSERT INTO block (epoch, run_id, model, message, role, body) VALUES (?, ?, ?, ?, ?, ?)",
      ...[epoch, run_id, model, message, role, JSON.stringify(block)],
    );
  const answer = sql.exec<{ body: string }>("SELECT body FROM block ORDER BY id DESC LIMIT 1").one().body;
  sql.exec("DELETE FROM block WHERE id = (SELECT max(id) FROM block)");
  const ids = Array.from({ length: RESULTS }, (_, nth) => `toolu_${nth}`);
  for (const id of ids) add(1, "assistant", { type: "tool_use", id, name: "read_file", input: { path: "a.md" } });
  for (const tool_use_id of ids)
    add(2, "user", { type: "tool_result", tool_use_id, content: "x".repeat(RESULT_LENGTH) });
  add(3, "assistant", JSON.parse(answer));
};

it("is loaded whole, and sent without its results", async () => {
  const talk = await chat([say("One."), say("Two."), say("Three.")]);
  await talk.turns("First words", "Second words");
  await talk.inSession(addResults);
  expectWhole(await talk.turn("Third words"), "completed");
  const sent = messagesOf((await talk.calls()).at(-1)).map((message) => JSON.stringify(message));
  expect([sent[0], sent[2]]).toEqual([expect.stringContaining("First words"), expect.stringContaining("Second words")]);
  expect(sent[4]?.split("[result removed]")).toHaveLength(RESULTS + 1);
  expect([sent[5], sent[6]]).toEqual([expect.stringContaining("Two."), expect.stringContaining("Third words")]);
  expect(await talk.model.violations()).toEqual([]);
});
