/** What holds for a turn whichever harness runs it. What differs is listed in docs/harness.md. */
import { describe, it } from "vitest";
import { STOPPED_OR_STOPPING } from "../../support/workerd/answer.ts";
import { askAsDeveloper } from "../../support/workerd/ask-as-developer.ts";
import { type CrashPoint, died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { type Play, threadOf } from "../../support/workerd/harness-under-test.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { kinds, type ReceivedEvent } from "../../support/workerd/run-client.ts";

/** Thinking is the model's own, and comes or not. */
const shape = (events: readonly ReceivedEvent[]): string[] => kinds(events).filter((kind) => kind !== "thinking_delta");

const SAID = ["message_start", "text_delta", "message_end"];
const ASKED = ["message_start", "message_end", "tool_start", "permission_request", "run_status"];
const ANSWERED = ["permission_reply", "run_status", "tool_end"];

const HARNESSES = ["anthropic", "agent-sdk"] as const;

describe.for(HARNESSES)("with %s", (harness) => {
  const begun = async (play: Play) => {
    const thread = await threadOf(harness, play);
    return { thread, run: await thread.begin() };
  };

  it("a turn is streamed, and the next one resumes its own session", async ({ expect }) => {
    const { thread, run } = await begun("talks");
    const first = await run.events();
    expect(shape(first)).toEqual(["run_start", "user_message", ...SAID, "run_end"]);
    expect(theOnly(first, "run_start")).toMatchObject({ harness, resumed: false });
    expect(await askAsDeveloper("GET", `/_framework/runs/${run.runId}`)).toMatchObject({ body: { harness } });
    expectWhole(first, "completed");
    const second = await (await thread.goOn()).events();
    expect(theOnly(second, "run_start")).toMatchObject({ harness, resumed: true });
    expect(theOnly(second, "message_end").text).toBe("You said hello.");
    expectWhole(second, "completed");
  });

  it("a change asks first, and is made once when it is allowed", async ({ expect }) => {
    const { thread, run } = await begun("adds");
    const request = await run.decideNext(0, "allow_once");
    expect(request).toMatchObject({
      ...{ tool: "add-stock", kind: "edit", title: "Add AAPL" },
      subject: { type: "action", name: "add-stock", input: { symbol: "AAPL" } },
    });
    const events = await run.events();
    expect(shape(events)).toEqual(["run_start", "user_message", ...ASKED, ...ANSWERED, ...SAID, "run_end"]);
    expectWhole(events, "completed");
    expect(await thread.stocks()).toBe(1);
    const again = await askAsDeveloper(
      "POST",
      `/_framework/runs/${run.runId}/permissions/${theOnly([request], "permission_request").requestId}`,
      { decision: "reject" },
    );
    expect(again).toEqual({ status: 409, body: { error: "Permission request already answered." } });
  });

  it("what a turn added is undone, and asked again nothing more is", async ({ expect }) => {
    const { thread, run } = await begun("adds");
    await run.decideNext(0, "allow_once");
    expectWhole(await run.events(), "completed");
    const undo = (body: object) => askAsDeveloper("POST", `/_framework/runs/${run.runId}/undo`, body);
    const answer = (state: string) => ({
      status: 200,
      body: { stocks: [{ symbol: "AAPL", effect: "remove", state }], files: [], commands: 0 },
    });
    expect(await undo({ dryRun: true })).toMatchObject(answer("restore"));
    expect(await thread.stocks()).toBe(1);
    expect(await undo({})).toMatchObject(answer("done"));
    expect(await undo({})).toMatchObject(answer("done"));
    expect(await thread.stocks()).toBe(0);
  });

  it("a change that is rejected is not made, and the model is told why", async ({ expect }) => {
    const { thread, run } = await begun("adds");
    await run.decideNext(0, "reject", "Not that one.");
    const events = await run.events();
    expectWhole(events, "completed");
    const end = theOnly(events, "tool_end");
    expect(end.status).toBe("denied");
    expect(end.output).toContain("Not that one.");
    expect(await thread.stocks()).toBe(0);
  });

  it("what is allowed always is a rule of the thread", async ({ expect }) => {
    const { thread, run } = await begun("adds");
    await run.decideNext(0, "allow_always");
    expectWhole(await run.handedOver(), "completed");
    expect(await thread.rules()).toMatchObject([{ label: "adding stocks in this chat" }]);
  });

  it("a second turn waits for the first one, and one that waits can be aborted", async ({ expect }) => {
    const { thread, run } = await begun("adds");
    await run.eventsUntil("permission_request");
    const [second, third] = [await thread.goOn("Second"), await thread.goOn("Third")];
    expect(theOnly(await third.eventsUntil("run_queued"), "run_queued").position).toBe(2);
    expect(await third.abort()).toMatchObject({ status: 200, body: { status: "aborted" } });
    expect(shape(await third.events())).toEqual(["run_queued", "user_message", "run_end"]);
    await run.abort();
    const waited = await second.events();
    expect(shape(waited).slice(0, 3)).toEqual(["run_queued", "user_message", "run_start"]);
    expect(await thread.stocks()).toBe(0);
  });

  it("an abort ends a turn that hangs, and the thread goes on", async ({ expect }) => {
    const { thread, run } = await begun("hangs");
    await run.eventsUntil("user_message");
    await thread.hangs();
    expect(await run.abort()).toMatchObject({ status: 200, body: { ok: true, status: STOPPED_OR_STOPPING } });
    expectWhole(await run.events(), "aborted");
    const next = await (await thread.goOn("[replay:two-turns] Hello")).events();
    expectWhole(next, "completed");
    expect(ofType(next, "context_reset")).toEqual([]);
  });

  it("an abort of a turn that asks leaves the change undone", async ({ expect }) => {
    const { thread, run } = await begun("adds");
    await run.eventsUntil("permission_request");
    expect(await run.abort()).toMatchObject({ status: 200, body: { status: STOPPED_OR_STOPPING } });
    const events = await run.events();
    expectWhole(events, "aborted");
    expect(theOnly(events, "permission_reply")).toMatchObject({ decision: "aborted", by: "system" });
    expect(theOnly(events, "tool_end").status).toBe("aborted");
    expect(await thread.stocks()).toBe(0);
  });

  it.for<CrashPoint>([
    "before openMessage",
    "after openMessage",
    "before closeMessage",
    "after closeMessage",
    "before send session",
    "after send session",
    "before send index",
    "after send index",
  ])("a turn whose object dies %s goes on, and so does its thread", async (point, { expect }) => {
    const thread = await threadOf(harness, "talks");
    planCrashes(thread.threadId, [point]);
    const run = await thread.begin();
    const events = await run.events();
    await died(thread.threadId);
    expectWhole(events, "completed");
    expect(ofType(events, "user_message")).toHaveLength(1);
    expect(await run.events()).toEqual(events);
    expectWhole(await (await thread.goOn()).events(), "completed");
  });

  it.for<CrashPoint>(["before markStarted", "after markStarted", "before endCall", "after endCall"])(
    "a change that was allowed is made exactly once when the object dies %s",
    async (point, { expect }) => {
      const thread = await threadOf(harness, "adds");
      planCrashes(thread.threadId, [point]);
      const run = await thread.begin();
      await run.decideNext(0, "allow_once");
      await died(thread.threadId);
      const events = await run.events();
      expectWhole(events, "completed");
      expect(ofType(events, "permission_request")).toHaveLength(1);
      expect(theOnly(events, "tool_end").status).toBe("completed");
      expect(await thread.stocks()).toBe(1);
    },
  );

  it("a question outlives the object that asked it", async ({ expect }) => {
    const thread = await threadOf(harness, "adds");
    planCrashes(thread.threadId, ["after ask"]);
    const run = await thread.begin();
    await run.eventsUntil("permission_request");
    await died(thread.threadId);
    await run.decideNext(0, "allow_once");
    const events = await run.events();
    expectWhole(events, "completed");
    expect(ofType(events, "permission_request")).toHaveLength(1);
    expect(await thread.stocks()).toBe(1);
  });
});
