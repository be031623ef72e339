/** Turns of the agent SDK, replayed from recordings over the real host protocol (decision 0099). */
import { env, runInDurableObject } from "cloudflare:test";
import { describe, it } from "vitest";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { kinds } from "../../support/workerd/run-client.ts";
import { sdkThread } from "../../support/workerd/sdk-thread.ts";

const SAID = ["message_start", "text_delta", "message_end"];
const CALLED = ["message_start", "message_end", "tool_start"];
const ASKED = ["permission_request", "run_status"];
const ANSWERED = ["permission_reply", "run_status"];

describe("a turn", () => {
  it("is streamed with its thinking, and the next one resumes the SDK's session", async ({ expect }) => {
    const thread = sdkThread();
    const first = await (await thread.start("[replay:two-turns] Hello")).events();
    expect(kinds(first)).toEqual([
      ...["run_start", "user_message", "message_start", "thinking_delta", "text_delta", "message_end", "run_end"],
    ]);
    expect(theOnly(first, "run_start")).toMatchObject({ harness: "agent-sdk", resumed: false });
    expect(theOnly(first, "message_end")).toMatchObject({ text: "Hello there.", stopReason: "end_turn" });
    expectWhole(first, "completed");
    const second = await (await thread.start("What did I say?")).events();
    expect(theOnly(second, "run_start")).toMatchObject({ resumed: true });
    expect(theOnly(second, "message_end").text).toBe("You said hello.");
    expectWhole(second, "completed");
  });

  it("reads at once, asks for edits one at a time, and goes on with the call that was answered", async ({ expect }) => {
    const run = await sdkThread().start("[replay:read-edits-stock] Do it");
    const edit = await run.decideNext(0, "allow_once");
    expect(edit).toMatchObject({
      ...{ tool: "Edit", kind: "edit", title: "Edit notes.txt" },
      subject: {
        type: "edit",
        path: "notes.txt",
        diff: "--- a/notes.txt\n+++ b/notes.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n",
      },
    });
    await run.decideNext(edit.seq, "reject", "not that file");
    const events = await run.events();
    expectWhole(events, "completed");
    const ends = ofType(events, "tool_end").map(({ toolCallId, status }) => [toolCallId, status]);
    expect(Object.fromEntries(ends)).toEqual({
      ...{ "1-0": "completed", "1-1": "completed", "1-2": "completed", "1-3": "aborted", "1-4": "aborted" },
      "2-0": "denied",
    });
    expect(theOnly(events, "file_change")).toMatchObject({ toolCallId: "1-2", path: "notes.txt", operation: "update" });
    const after = kinds(events.slice(events.findIndex(({ seq }) => seq === edit.seq)));
    expect(after).toEqual([
      ...[...ASKED, ...ANSWERED, "file_change", "tool_end", ...CALLED, ...ASKED, ...ANSWERED, "tool_end"],
      ...[...SAID, "run_end"],
    ]);
  });
});

it.for([
  ["read-edits-stock", "$.subject.path"],
  ["commands", "$.subject.command"],
  ["commands", "$.subject.dir"],
] as const)(
  "what was allowed does not run when it is not what was shown: %s, %s",
  async ([name, field], { expect }) => {
    const run = await sdkThread().start(`[replay:${name}] Do it`);
    await run.eventsUntil("permission_request");
    await runInDurableObject(env.RUNS.getByName(run.runId), (_, { storage }) => {
      storage.sql.exec("UPDATE permission_request SET request = json_set(request, ?, 'another')", field);
    });
    const asked = await run.decideNext(0, "allow_once");
    expect(theOnly(await run.eventsUntil("tool_end", asked.seq), "tool_end")).toMatchObject({ status: "denied" });
    await run.abort();
  },
);

it("a message that gives the id of one call to another ends the run, with all of its calls", async ({ expect }) => {
  const events = await (await sdkThread().start("[replay:used-id] Read it")).events();
  expect(kinds(events)).toEqual(["run_start", "user_message", "message_start", "message_end", "run_end"]);
  expect(theOnly(events, "run_end")).toMatchObject({
    status: "failed",
    error: { code: "model_unavailable", message: "The model gave two calls the same id." },
  });
  expectWhole(events, "failed");
});

describe("a failure", () => {
  it.for([
    ["plan-limit", "model_rate_limited", "It resets at 2027-01-01 00:00 UTC."],
    ["not-logged-in", "model_auth", "claude /login"],
  ] as const)("of %s ends the run as %s", async ([name, code, message], { expect }) => {
    const events = await (await sdkThread().start(`[replay:${name}] Hello`)).events();
    expect(kinds(events)).toEqual(["run_start", "user_message", "run_end"]);
    expect(theOnly(events, "run_end")).toMatchObject({ status: "failed", error: { code } });
    expect(theOnly(events, "run_end").error?.message).toContain(message);
  });
});
