/** A run's budget: the call that would pass it is asked for instead of made, whatever happens in between (api.md §7). */
import { abortAllDurableObjects, env, runInDurableObject } from "cloudflare:test";
import { describe, inject, it } from "vitest";
import { callTools, say, summary } from "../../support/model-script.ts";
import { closeBlock, event, openMessage, openText, textDelta } from "../../support/model-server/message-frames.ts";
import type { Frame, Reply, StreamReply } from "../../support/model-server/reply.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { STOPPED_OR_STOPPING } from "../../support/workerd/answer.ts";
import { captureLog } from "../../support/workerd/captured-log.ts";
import { type CrashPoint, died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { handedOver } from "../../support/workerd/handed-over.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { kinds } from "../../support/workerd/run-client.ts";
import { planVariables } from "../../support/workerd/run-variables.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const OPENING = ["run_start", "user_message"];
const CALLED = ["message_start", "message_end", "tool_start", "tool_end"];
const ASKED = ["permission_request", "run_status"];
const ANSWERED = ["permission_reply", "run_status"];
const SAID = ["message_start", "text_delta", "message_end"];

/** Tokens of three cents: a second call like that passes the five of most tests, a third one the ten after a yes. */
const DEAR = { usage: { input: 15_000, output: 0 } };

const dearCall = (): Reply => callTools([{ name: "list-stocks", input: {} }], DEAR);

/** An answer without its usage, as something between us and the provider may pass it on. */
const unsaid = (reply: StreamReply): StreamReply => ({
  ...reply,
  frames: reply.frames.map((frame) =>
    frame.type === "event" ? { ...frame, event: leaveOutUsage(frame.event) } : frame,
  ),
});

/** The event as it is sent, and a message within it, without their usage. */
const leaveOutUsage = ({ usage: _, message, ...event }: Extract<Frame, { type: "event" }>["event"]) =>
  message === undefined ? event : { ...event, message: { ...Object(message), usage: null } };

const silentEnd = () => unsaid(say("Done."));

/** Somebody's turn in a thread with a budget, up to where it waits. */
const askedTurn = async (replies: readonly Reply[], budget = "0.05") => {
  const threadId = crypto.randomUUID();
  planVariables(threadId, { AGENT_RUN_BUDGET_USD: budget });
  const model = await scriptModel(inject("modelUrl"), replies);
  const client = somebody();
  const turn = await client.startTurn(threadId, model.prompt("Hello"));
  const events = await client.eventsUntil(turn.events, "run_status");
  const request = theOnly(events, "permission_request");
  const decide = (decision: string, requestId: string = request.requestId) =>
    client.decide(turn.runId, requestId, { decision });
  return { model, client, turn, threadId, events, request, decide, toEnd: () => client.follow(turn.events) };
};

describe("the call that would pass the budget", () => {
  it("is asked for, with what was spent and what may be, and made after a yes", async ({ expect }) => {
    const { model, client, turn, request, decide, toEnd } = await askedTurn([dearCall(), say("Done.")]);
    expect(request).toMatchObject({
      ...{ tool: "budget", toolCallId: "budget-1", kind: "execute", title: "Spend more than $0.05" },
      subject: { type: "budget", limitUsd: "0.05", spentUsd: "0.03" },
      options: [
        { decision: "allow_once", label: "Spend up to $0.10" },
        { decision: "reject", label: "Stop here" },
      ],
    });
    expect(await model.requests()).toHaveLength(1);
    expect(await client.view(turn.runId)).toMatchObject({
      status: "waiting_permission",
      pendingPermissions: [request],
      costUsd: "0.03",
    });
    expect(await client.ask("GET", `/_framework/runs/${turn.runId}/permissions/${request.requestId}`)).toMatchObject({
      body: { subject: request.subject, toolCallId: "budget-1" },
    });
    expect(await decide("allow_once")).toMatchObject({ status: 200 });
    const events = await toEnd();
    expect(kinds(events)).toEqual([...OPENING, ...CALLED, ...ASKED, ...ANSWERED, ...SAID, "run_end"]);
    expect(theOnly(events, "permission_reply")).toMatchObject({
      ...{ toolCallId: "budget-1", decision: "allow_once", by: "user" },
    });
    expect(ofType(events, "run_status").map(({ status }) => status)).toEqual(["waiting_permission", "running"]);
    expectWhole(events, "completed");
    expect(await model.violations()).toEqual([]);
  });

  it("is asked for again when the same amount more is used up, too", async ({ expect }) => {
    const { client, turn, decide, toEnd, model } = await askedTurn([dearCall(), dearCall(), dearCall(), say("Done.")]);
    await decide("allow_once");
    const later = await client.eventsUntil(`${turn.events}?after=10`, "permission_request");
    const second = ofType(later, "permission_request").at(-1);
    expect(second).toMatchObject({
      ...{ toolCallId: "budget-2", title: "Spend more than $0.10" },
      subject: { limitUsd: "0.1", spentUsd: "0.09" },
      options: [{ label: "Spend up to $0.15" }, {}],
    });
    expect(await model.requests()).toHaveLength(3);
    await decide("allow_once", second?.requestId ?? "");
    expectWhole(await toEnd(), "completed");
  });

  it("is the first one where the prompt alone would pass it", async ({ expect }) => {
    const { model, events, request, decide, toEnd } = await askedTurn([say("Done.")], "0.01");
    expect(kinds(events)).toEqual([...OPENING, ...ASKED]);
    expect(request.subject).toEqual({ type: "budget", limitUsd: "0.01", spentUsd: "0" });
    expect(await model.requests()).toEqual([]);
    await decide("allow_once");
    expectWhole(await toEnd(), "completed");
  });

  it("is a further try of one that was dropped and paid for", async ({ expect }) => {
    const cut: Reply = {
      type: "stream",
      frames: [
        ...[...openMessage({ input: 30_000 }), openText(0), textDelta(0, "Half"), closeBlock(0)],
        event("error", { error: { type: "overloaded_error", message: "Overloaded" } }),
      ],
    };
    const { model, events, request, decide, toEnd } = await askedTurn([cut, say("Whole.")]);
    const dropped = ["message_start", "text_delta", "message_discard", "model_retry"];
    expect(kinds(events)).toEqual([...OPENING, ...dropped, ...ASKED]);
    expect(request.subject).toMatchObject({ spentUsd: "0.06001" });
    expect(await model.requests()).toHaveLength(1);
    await decide("allow_once");
    expectWhole(await toEnd(), "completed");
  });

  it("is a summary of the conversation, which is made after a yes", async ({ expect }) => {
    const threadId = crypto.randomUUID();
    const long = say("Three.", { usage: { input: 160_000 } });
    const replies = [say("One."), say("Two."), long, summary("They greet."), say("Four.")];
    const model = await scriptModel(inject("modelUrl"), replies);
    const client = somebody();
    const turn = async (text: string) => await client.startTurn(threadId, model.prompt(text));
    for (const text of ["First", "Second", "Third"]) await client.runToEnd(threadId, model.prompt(text));
    planVariables(threadId, { AGENT_RUN_BUDGET_USD: "0.00001" });
    const fourth = await turn("Fourth");
    const { requestId } = theOnly(await client.eventsUntil(fourth.events, "run_status"), "permission_request");
    expect(await model.requests()).toHaveLength(3);
    planVariables(threadId, { AGENT_RUN_BUDGET_USD: "1" });
    await client.decide(fourth.runId, requestId, { decision: "allow_once" });
    const events = await client.follow(fourth.events);
    expect(kinds(events)).toEqual([...OPENING, ...ASKED, ...ANSWERED, "context_compacted", ...SAID, "run_end"]);
    expectWhole(events, "completed");
  });

  it("is none for a summary that its person had made by hand before the run", async ({ expect }) => {
    const threadId = crypto.randomUUID();
    const dear = summary("They greet.", { usage: { input: 300_000 } });
    const model = await scriptModel(inject("modelUrl"), [say("One."), say("Two."), say("Three."), dear, say("Four.")]);
    const client = somebody();
    for (const text of ["First", "Second", "Third"])
      await handedOver(await client.runToEnd(threadId, model.prompt(text)));
    expect(await client.ask("POST", `${client.threadPath(threadId)}/compact`)).toMatchObject({ status: 200 });
    planVariables(threadId, { AGENT_RUN_BUDGET_USD: "0.05" });
    const { runId } = await client.startTurn(threadId, model.prompt("Fourth"));
    const events = await client.followAllowing(runId);
    expect(kinds(events)).toEqual([...OPENING, "context_compacted", ...SAID, "run_end"]);
    expect(Number(theOnly(events, "run_end").costUsd)).toBeGreaterThan(0.6);
  });

  it("is none where all fits", async ({ expect }) => {
    const threadId = crypto.randomUUID();
    planVariables(threadId, { AGENT_RUN_BUDGET_USD: " 5 " });
    const model = await scriptModel(inject("modelUrl"), [dearCall(), dearCall(), say("Done.")]);
    const events = await somebody().runToEnd(threadId, model.prompt("Hello"));
    expect(kinds(events)).toEqual([...OPENING, ...CALLED, ...CALLED, ...SAID, "run_end"]);
  });
});

describe("a no", () => {
  const END = { status: "incomplete", stopReason: "budget", error: null, costUsd: "0.03", steps: 1 };

  it("ends the run at that point, and the thread continues", async ({ expect }) => {
    const { model, client, threadId, decide, toEnd } = await askedTurn([dearCall(), say("Next.")]);
    expect(await decide("allow_always")).toEqual({ status: 400, body: { error: "Invalid decision." } });
    expect(await decide("reject")).toMatchObject({ status: 200 });
    const events = await toEnd();
    expect(kinds(events)).toEqual([...OPENING, ...CALLED, ...ASKED, ...ANSWERED, "run_end"]);
    expect(events.at(-1)).toMatchObject(END);
    expectWhole(events, "incomplete");
    expect(await model.requests()).toHaveLength(1);
    expectWhole(await client.runToEnd(threadId, model.prompt("Go on")), "completed");
    expect(await model.violations()).toEqual([]);
  });

  it("is what nobody answers in time", async ({ expect }) => {
    const { client, turn, toEnd } = await askedTurn([dearCall(), say("Never.")]);
    await runInDurableObject(env.RUNS.getByName(turn.runId), async (_, { storage }) => {
      storage.sql.exec(
        "UPDATE permission_request SET request = json_set(request, '$.expiresAt', '2026-01-01T00:00:00Z')",
      );
      await storage.sync();
    });
    await client.wake(turn.runId);
    const events = await toEnd();
    expect(theOnly(events, "permission_reply")).toMatchObject({ decision: "expired", by: "system" });
    expect(events.at(-1)).toMatchObject(END);
  });

  it("is not what an abort is: the run ends aborted", async ({ expect }) => {
    const { client, turn, toEnd } = await askedTurn([dearCall(), say("Never.")]);
    expect(await client.abort(turn.runId)).toMatchObject({ body: { status: STOPPED_OR_STOPPING } });
    const events = await toEnd();
    expect(theOnly(events, "permission_reply")).toMatchObject({ decision: "aborted", by: "system" });
    expectWhole(events, "aborted");
  });
});

describe("the question survives", () => {
  it.for<CrashPoint>(["before ask", "after ask"])("an object that dies %s", async (point, { expect }) => {
    const threadId = crypto.randomUUID();
    planVariables(threadId, { AGENT_RUN_BUDGET_USD: "0.05" });
    planCrashes(threadId, [point]);
    const model = await scriptModel(inject("modelUrl"), [dearCall(), say("Done.")]);
    const client = somebody();
    const { runId } = await client.startTurn(threadId, model.prompt("Hello"));
    const events = await client.followAllowing(runId);
    await died(threadId);
    expect(ofType(events, "permission_request")).toHaveLength(1);
    expectWhole(events, "completed");
    expect(await model.requests()).toHaveLength(2);
  });

  it("an object that dies while nobody has answered yet", async ({ expect }) => {
    const { decide, toEnd } = await askedTurn([dearCall(), say("Done.")]);
    await abortAllDurableObjects();
    expect(await decide("allow_once")).toMatchObject({ status: 200 });
    expectWhole(await toEnd(), "completed");
  });

  it("as a yes that was given, when the object dies in the call it was for", async ({ expect }) => {
    const replies = [dearCall(), say("Half."), say("Done.")];
    const { threadId, decide, toEnd } = await askedTurn(replies);
    planCrashes(threadId, ["before closeMessage"]);
    await decide("allow_once");
    const events = await toEnd();
    await died(threadId);
    expect(ofType(events, "permission_request")).toHaveLength(1);
    expectWhole(events, "completed");
  });
});

describe("no budget holds", () => {
  it("where the price is not known, and the log says so", async ({ expect }) => {
    const threadId = crypto.randomUUID();
    planVariables(threadId, { AGENT_RUN_BUDGET_USD: "0.01", ANTHROPIC_API_KEY: "", DEMO_MODEL: "true" });
    const log = captureLog();
    const events = await somebody().runToEnd(threadId, "hello");
    expect(theOnly(events, "run_start").model).toBe("demo");
    expect(theOnly(events, "run_end")).toMatchObject({ status: "completed", costUsd: null });
    expect(ofType(events, "permission_request")).toEqual([]);
    expect(log.lines({ level: "warn", model: "demo" })).toMatchObject([{ message: expect.stringContaining("budget") }]);
  });

  it("where no answer says what it used, and the log says so", async ({ expect }) => {
    const threadId = crypto.randomUUID();
    planVariables(threadId, { AGENT_RUN_BUDGET_USD: "0.50" });
    const log = captureLog();
    const model = await scriptModel(inject("modelUrl"), [
      unsaid(callTools([{ name: "list-stocks", input: {} }])),
      silentEnd(),
    ]);
    const events = await somebody().runToEnd(threadId, model.prompt("Hello"));
    expect(theOnly(events, "run_end")).toMatchObject({ status: "completed", costUsd: "0" });
    const { runId } = theOnly(events, "run_start");
    expect(log.lines({ level: "warn", runId })).toMatchObject([{ message: expect.stringContaining("no budget") }]);
  });

  it("where no answer says what it used, but by the size of the next prompt", async ({ expect }) => {
    const long = callTools([{ name: "list-stocks", input: {} }], { text: "so ".repeat(30_000) });
    const { model, request } = await askedTurn([unsaid(long), silentEnd()], "0.03");
    expect(request.subject).toMatchObject({ limitUsd: "0.03", spentUsd: "0" });
    expect(await model.requests()).toHaveLength(1);
  });

  it.for(["$5", "0", "-1", "1e3", "five", "0.0000000000001"])(
    "where it cannot be read as %s, and the log says so",
    async (budget, { expect }) => {
      const threadId = crypto.randomUUID();
      planVariables(threadId, { AGENT_RUN_BUDGET_USD: budget });
      const log = captureLog();
      const model = await scriptModel(inject("modelUrl"), [dearCall(), say("Done.")]);
      expectWhole(await somebody().runToEnd(threadId, model.prompt("Hello")), "completed");
      const lines = log.lines({ level: "error" }).filter(({ message }) => String(message).includes("BUDGET_USD"));
      expect(lines).toHaveLength(1);
    },
  );
});
