/** What becomes of a turn of the agent SDK when something dies, hangs or is stopped (decision 0099). */
import { env, runInDurableObject } from "cloudflare:test";
import { describe, it } from "vitest";
import { died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { kinds } from "../../support/workerd/run-client.ts";
import { planVariables } from "../../support/workerd/run-variables.ts";
import { promptsIn, sdkThread } from "../../support/workerd/sdk-thread.ts";

const NOBODY = { url: "http://127.0.0.1:1", token: "none" };

describe("a host", () => {
  it("that is not there fails the run as workspace_unavailable", async ({ expect }) => {
    const events = await (await sdkThread(NOBODY).start("Hello")).events();
    expect(kinds(events)).toEqual(["run_start", "user_message", "run_end"]);
    expect(theOnly(events, "run_end")).toMatchObject({ status: "failed", error: { code: "workspace_unavailable" } });
  });

  it("that is gone when a person answers is waited for", async ({ expect }) => {
    const thread = sdkThread();
    const run = await thread.start("[replay:commands] Run them");
    await run.eventsUntil("permission_request");
    planVariables(thread.threadId, { WORKSPACE_URL: NOBODY.url, WORKSPACE_TOKEN: NOBODY.token });
    const { seq } = await run.decideNext(0, "allow_once");
    expect(theOnly(await run.eventsUntil("model_retry", seq), "model_retry")).toMatchObject({
      reason: "workspace_unavailable",
    });
    await run.abort();
  });

  it("whose process is killed during a command goes on; the command is unknown and runs no second time", async ({
    expect,
  }) => {
    const run = await sdkThread().start("[replay:killed-in-command] Run it");
    await run.decideNext(0, "allow_once");
    const events = await run.events();
    expectWhole(events, "completed");
    expect(ofType(events, "tool_end")).toMatchObject([{ toolCallId: "1-0", status: "unknown" }]);
    expect(theOnly(events, "model_retry")).toMatchObject({ reason: "workspace_unavailable" });
    expect(ofType(events, "message_end").at(-1)).toMatchObject({ text: "I look whether it ran." });
  });
});

it("what is called behind a command that was killed is asked for, and runs once it is allowed", async ({ expect }) => {
  const run = await sdkThread().start("[replay:killed-in-answer] Run it");
  const first = await run.decideNext(0, "allow_once");
  await run.decideNext(first.seq, "allow_once");
  const events = await run.events();
  expectWhole(events, "completed");
  expect(ofType(events, "permission_request").map(({ toolCallId }) => toolCallId)).toEqual(["1-0", "2-0"]);
  expect(ofType(events, "tool_end").map(({ status }) => status)).toEqual(["unknown", "completed"]);
});

it("a prompt that the SDK had not taken down when it died is sent again", async ({ expect }) => {
  const events = await (await sdkThread().start("[replay:two-turns] [dies-first] Tell me")).handedOver();
  expectWhole(events, "completed");
  expect(ofType(events, "model_retry")).toMatchObject([{ reason: "workspace_unavailable" }]);
  expect(await promptsIn(events)).toEqual([expect.stringContaining("Tell me")]);
});

it("so is one of a later turn, and once", async ({ expect }) => {
  const thread = sdkThread();
  await (await thread.start("[replay:two-turns] Hello")).handedOver();
  const events = await (await thread.start("[dies-first] Tell me")).handedOver();
  expectWhole(events, "completed");
  expect(await promptsIn(events)).toEqual([expect.stringContaining("Hello"), expect.stringContaining("Tell me")]);
});

it.for([
  ["had not taken down", "[hang:noted]", []],
  ["had taken down", "[hang:told]", ["[hang:told]"]],
] as const)(
  "a first turn that is stopped when the SDK %s its prompt leaves a thread that goes on",
  async ([_, prompt, kept], { expect }) => {
    const thread = sdkThread();
    const first = await thread.start(prompt);
    await first.eventsUntil("model_retry");
    await first.abort();
    await first.handedOver();
    const events = await (await thread.start("[replay:two-turns] Hello")).handedOver();
    expectWhole(events, "completed");
    expect(ofType(events, "context_reset")).toEqual([]);
    const prompts = [...kept, "Hello"].map((said) => expect.stringContaining(said));
    expect(await promptsIn(events)).toEqual(prompts);
  },
);

it("a chat goes on that an earlier release took for begun when the SDK had taken down nothing", async ({ expect }) => {
  const thread = sdkThread();
  const first = await thread.start("[hang:noted]");
  await first.eventsUntil("model_retry");
  await first.abort();
  const { sessionId } = theOnly(await first.handedOver(), "run_start");
  await runInDurableObject(env.SESSIONS.getByName(sessionId), (_, { storage }) =>
    storage.sql.exec("UPDATE facts SET body = json_remove(json_set(body, '$.hasSession', json('true')), '$.isTried')"),
  );
  const events = await (await thread.start("[replay:two-turns] Hello")).handedOver();
  expectWhole(events, "completed");
  expect(await promptsIn(events)).toEqual([expect.stringContaining("Hello")]);
});

it("a provider that is overloaded is announced as the SDK tries again", async ({ expect }) => {
  const events = await (await sdkThread().start("[replay:overloaded] Hello")).events();
  expect(theOnly(events, "model_retry")).toMatchObject({ attempt: 1, delayMs: 509, reason: "model_overloaded" });
  expectWhole(events, "completed");
});

it("a turn that hangs is stopped within the time of an abort", async ({ expect }) => {
  const run = await sdkThread().start("[hang]");
  await run.eventsUntil("user_message");
  expect(await run.abort()).toMatchObject({ status: 200 });
  expectWhole(await run.events(), "aborted");
});

it.for(["before openMessage", "after openMessage", "before closeMessage", "after send session"] as const)(
  "an object that dies %s goes on by a message to the session",
  async (point, { expect }) => {
    const thread = sdkThread();
    planCrashes(thread.threadId, [point]);
    const events = await (await thread.start("[replay:two-turns] Hello")).events();
    await died(thread.threadId);
    expectWhole(events, "completed");
    expect(ofType(events, "message_end").length).toBe(1);
  },
);

it("a command whose object dies when it had started is unknown, and runs no second time", async ({ expect }) => {
  const thread = sdkThread();
  planCrashes(thread.threadId, ["after markStarted"]);
  const run = await thread.start("[replay:killed-in-command] Run it");
  await run.decideNext(0, "allow_once");
  const events = await run.events();
  await died(thread.threadId);
  expectWhole(events, "completed");
  expect(ofType(events, "tool_end")).toMatchObject([{ toolCallId: "1-0", status: "unknown" }]);
});

it.for([
  ["commands", "allow_once", "before markStarted", ["completed", "denied", "denied"]],
  ["commands", "reject", "before endCall", ["denied", "denied", "denied"]],
] as const)(
  "an answer whose call had not started when the object died counts, and is not asked for again: %s, %s",
  async ([name, decision, point, statuses], { expect }) => {
    const thread = sdkThread();
    planCrashes(thread.threadId, [point]);
    const run = await thread.start(`[replay:${name}] Do it`);
    const first = await run.decideNext(0, decision);
    await died(thread.threadId);
    const second = await run.decideNext(first.seq, "reject");
    await run.decideNext(second.seq, "reject");
    const events = await run.events();
    expectWhole(events, "completed");
    expect(ofType(events, "tool_end").map(({ status }) => status)).toEqual(statuses);
    expect(ofType(events, "permission_request").map(({ toolCallId }) => toolCallId)).toEqual(["1-0", "2-0", "3-0"]);
  },
);

it("an edit that was allowed and had not started when the object died is made", async ({ expect }) => {
  const thread = sdkThread();
  planCrashes(thread.threadId, ["before markStarted"]);
  const run = await thread.start("[replay:read-edits-stock] Do it");
  const { seq } = await run.decideNext(0, "allow_once");
  await died(thread.threadId);
  await run.decideNext(seq, "reject");
  const events = await run.events();
  expectWhole(events, "completed");
  expect(theOnly(events, "file_change")).toMatchObject({ toolCallId: "1-2", path: "notes.txt" });
  expect(ofType(events, "permission_request").map(({ toolCallId }) => toolCallId)).toEqual(["1-2", "2-0"]);
});

it("a question that was asked before the object died is answered once", async ({ expect }) => {
  const thread = sdkThread();
  planCrashes(thread.threadId, ["after ask"]);
  const run = await thread.start("[replay:read-edits-stock] Do it");
  const { seq } = await run.decideNext(0, "allow_once");
  await died(thread.threadId);
  await run.decideNext(seq, "reject");
  const events = await run.events();
  expectWhole(events, "completed");
  expect(ofType(events, "permission_request").map(({ toolCallId }) => toolCallId)).toEqual(["1-2", "2-0"]);
});
