/** `POST /_framework/runs/<run_id>/abort` in every state of a run (api.md §2 and §3). */
import { describe, expect, inject, it } from "vitest";
import { ABORT_ANSWER_MS } from "../../../src/run/stop-run.ts";
import { callTool, callTools, say } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { holdBefore, holdMidStream, rateLimited, unauthorized } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { watchTimers } from "../../support/watch-timers.ts";
import { STOPPED_OR_STOPPING } from "../../support/workerd/answer.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { kinds, openStream, parseFrames } from "../../support/workerd/run-client.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const OPENING = ["run_start", "user_message"];

/** The answer for a run at work, and for one whose end nothing holds up. */
const stopped = (runId: string) => ({ status: 200, body: { ok: true, runId, status: STOPPED_OR_STOPPING } });
const aborted = (runId: string) => ({ status: 200, body: { ok: true, runId, status: "aborted" } });

/** A new person's turn, just started. */
const startedTurn = async (replies: readonly Reply[]) => {
  const model = await scriptModel(inject("modelUrl"), replies);
  const client = somebody();
  const { runId, events } = await client.startTurn("t", model.prompt("First"));
  return { model, client, runId, events };
};

describe("an abort of a running turn", () => {
  it("whose model has sent nothing yet hangs up on the model and ends the run", async ({ expect }) => {
    const { model, client, runId, events } = await startedTurn([holdBefore(say("Never."))]);
    await model.reaches(1, "held");
    expect(await client.abort(runId)).toEqual(stopped(runId));
    await model.reaches(1, "client_left");
    const transcript = await client.events(events);
    expect(kinds(transcript)).toEqual([...OPENING, "run_status", "run_end"]);
    expect(theOnly(transcript, "run_status").status).toBe("aborting");
    expect(transcript.at(-1)).toMatchObject({ status: "aborted", stopReason: "aborted", error: null });
    const finishedAt = expect.any(String);
    expect(await client.view(runId)).toMatchObject({ status: "aborted", error: null, finishedAt });
  });

  it("leaves no wait behind, which would keep the run in memory", async ({ expect }) => {
    const { model, client, runId, events } = await startedTurn([holdBefore(say("Never."))]);
    await model.reaches(1, "held");
    const timers = watchTimers();
    await client.abort(runId);
    await client.events(events);
    // Others may have waits of this length.
    expect(timers.set(ABORT_ANSWER_MS)).toBeGreaterThan(0);
    await expect.poll(() => timers.left(ABORT_ANSWER_MS)).toBe(0);
  });

  it("in the middle of a text keeps what was said", async ({ expect }) => {
    const { model, client, runId, events } = await startedTurn([holdMidStream("Before. ", "After.")]);
    await client.eventsUntil(events, "text_delta");
    expect(await client.abort(runId)).toEqual(stopped(runId));
    await model.reaches(1, "client_left");
    const transcript = await client.events(events);
    expect(kinds(transcript)).toEqual([
      ...OPENING,
      "message_start",
      "text_delta",
      "run_status",
      "message_end",
      "run_end",
    ]);
    expect(theOnly(transcript, "message_end")).toMatchObject({ text: "Before. ", stopReason: "aborted" });
    expectWhole(transcript, "aborted");
  });

  it("reaches a subscriber that is there, and ends its stream", async ({ expect }) => {
    const { model, client, runId, events } = await startedTurn([holdMidStream("Before. ", "After.")]);
    await model.reaches(1, "held");
    const stream = await openStream(client.request, events, "text_delta");
    const rest = stream.rest();
    await client.abort(runId);
    expect(kinds(parseFrames(await rest))).toEqual(["run_status", "message_end", "run_end"]);
  });

  it("between two tries ends the wait", async ({ expect }) => {
    const { client, runId, events } = await startedTurn([rateLimited({ "retry-after": "60" })]);
    await client.eventsUntil(events, "model_retry");
    expect(await client.abort(runId)).toEqual(stopped(runId));
    const transcript = await client.events(events);
    expect(kinds(transcript)).toEqual([...OPENING, "model_retry", "run_status", "run_end"]);
    expectWhole(transcript, "aborted");
  });

  it("is the same when it is repeated, also at the same instant", async ({ expect }) => {
    const { model, client, runId, events } = await startedTurn([holdMidStream("Before. ", "After.")]);
    await model.reaches(1, "held");
    const answers = await Promise.all([client.abort(runId), client.abort(runId), client.abort(runId)]);
    expect([...answers, await client.abort(runId)]).toEqual(Array.from({ length: 4 }, () => stopped(runId)));
    const transcript = await client.events(events);
    expect(ofType(transcript, "run_status")).toHaveLength(1);
    expectWhole(transcript, "aborted");
  });
});

/** What comes before each prompt. */
const CONTEXT = { text: expect.stringMatching(/^<context>/) };

describe("an abort of a turn that waits for a person", () => {
  it("closes the request and its call, and nothing is changed", async ({ expect }) => {
    const { client, runId, events } = await startedTurn([callTool("add-stock", { symbol: "AAPL" })]);
    await client.eventsUntil(events, "run_status");
    expect(await client.abort(runId)).toEqual(stopped(runId));
    const transcript = await client.events(events);
    expect(kinds(transcript)).toEqual([
      ...[...OPENING, "message_start", "message_end", "tool_start", "permission_request", "run_status", "run_status"],
      ...["permission_reply", "tool_end", "run_end"],
    ]);
    expect(ofType(transcript, "run_status").map(({ status }) => status)).toEqual(["waiting_permission", "aborting"]);
    expect(theOnly(transcript, "permission_reply")).toMatchObject({ decision: "aborted", by: "system" });
    expect(theOnly(transcript, "tool_end")).toMatchObject({ status: "aborted" });
    expect(await client.view(runId)).toMatchObject({ status: "aborted", pendingPermissions: [] });
    expect(await client.action("list-stocks", {})).toMatchObject({ total: 0 });
  });

  it("closes calls that had not come to their request, too", async ({ expect }) => {
    const calls = ["AAPL", "MSFT", "TSLA"].map((symbol) => ({ name: "add-stock", input: { symbol } }));
    const { client, runId, events } = await startedTurn([callTools(calls)]);
    await client.eventsUntil(events, "run_status");
    await client.abort(runId);
    const transcript = await client.events(events);
    expect(ofType(transcript, "tool_end").map(({ status }) => status)).toEqual(["aborted", "aborted", "aborted"]);
    expectWhole(transcript, "aborted");
  });
});

describe("an abort and an answer that arrive together", () => {
  it.for(["allow_once", "reject"])(
    "leave a transcript that is whole and true: %s (api.md §2)",
    async (decision, { expect }) => {
      const { client, runId, events } = await startedTurn([callTool("add-stock", { symbol: "AAPL" }), say("Done.")]);
      const { requestId } = theOnly(await client.eventsUntil(events, "run_status"), "permission_request");
      const [answer, abort] = await Promise.all([client.decide(runId, requestId, { decision }), client.abort(runId)]);
      expect(abort).toEqual(stopped(runId));
      const transcript = await client.events(events);
      expectWhole(transcript, "aborted");
      // Whichever came first: the answer says the same as the transcript.
      const { decision: told } = theOnly(transcript, "permission_reply");
      expect([
        [200, decision],
        [410, "aborted"],
      ]).toContainEqual([answer.status, told]);
      const isAdded = theOnly(transcript, "tool_end").status === "completed";
      expect(await client.action("list-stocks", {})).toMatchObject({ total: Number(isAdded) });
    },
  );
});

describe("an abort of a turn that waits for its turn", () => {
  it("ends it at once; the model never hears of it", async ({ expect }) => {
    const { model, client, runId, events } = await startedTurn([holdBefore(say("One.")), say("Three.")]);
    const second = await client.startTurn("t", model.prompt("Second"));
    const third = await client.startTurn("t", model.prompt("Third"));
    expect(await client.abort(second.runId)).toEqual(aborted(second.runId));
    const transcript = await client.events(second.events);
    expect(kinds(transcript)).toEqual(["run_queued", "user_message", "run_end"]);
    expect(transcript.at(-1)).toMatchObject({ status: "aborted", stopReason: "aborted", steps: 0 });
    await model.reaches(1, "held");
    expect(await client.view(runId)).toMatchObject({ status: "running" });
    await model.release();
    await client.events(events);
    expectWhole(await client.events(third.events), "completed");
    const [, request, ...others] = await model.requests();
    expect(others).toEqual([]);
    expect(request?.body.messages).toMatchObject([
      { role: "user", content: [CONTEXT, { text: model.prompt("First") }] },
      { role: "assistant", content: [{ text: "One." }] },
      { role: "user", content: [CONTEXT, { text: model.prompt("Third") }] },
    ]);
    expect(await model.violations()).toEqual([]);
  });

  it("is not needed once the turn ahead was aborted: it starts", async ({ expect }) => {
    const { model, client, runId } = await startedTurn([holdBefore(say("Never.")), say("Two.")]);
    const second = await client.startTurn("t", model.prompt("Second"));
    await model.reaches(1, "held");
    await client.abort(runId);
    expect((await client.events(second.events)).at(-1)).toMatchObject({ type: "run_end", status: "completed" });
  });
});

describe("an abort of a turn that is over", () => {
  it.for([
    ["completed", say("Done.")],
    ["failed", unauthorized()],
    ["incomplete", say("Too long", { stopReason: "max_tokens" })],
  ] as const)("answers its true status: %s", async ([status, reply], { expect }) => {
    const { client, runId, events } = await startedTurn([reply]);
    const transcript = await client.events(events);
    expect(await client.abort(runId)).toEqual({ status: 200, body: { ok: true, runId, status } });
    expect(await client.events(events)).toEqual(transcript);
  });
});

describe("the turn after an aborted one", () => {
  it("works, and the model sees what was said before", async ({ expect }) => {
    const { model, client, events } = await startedTurn([
      say("One."),
      holdMidStream("Before. ", "After."),
      say("Three."),
    ]);
    await client.events(events);
    const second = await client.startTurn("t", model.prompt("Second"));
    await client.eventsUntil(second.events, "text_delta");
    await client.abort(second.runId);
    const transcript = await client.runToEnd("t", model.prompt("Third"));
    expectWhole(transcript, "completed");
    expect(theOnly(transcript, "run_start").resumed).toBe(true);
    expect((await model.requests())[2]?.body.messages).toMatchObject([
      { role: "user", content: [CONTEXT, { text: model.prompt("First") }] },
      { role: "assistant", content: [{ text: "One." }] },
      { role: "user", content: [CONTEXT, { text: model.prompt("Second") }] },
      { role: "assistant", content: [{ text: "Before. " }] },
      { role: "user", content: [CONTEXT, { text: model.prompt("Third") }] },
    ]);
    expect(await model.violations()).toEqual([]);
  });

  it("works after one that waited for a person: each call has a result that says why", async ({ expect }) => {
    const { model, client, runId, events } = await startedTurn([
      callTool("add-stock", { symbol: "AAPL" }),
      say("Two."),
    ]);
    await client.eventsUntil(events, "run_status");
    await client.abort(runId);
    expectWhole(await client.runToEnd("t", model.prompt("Second")), "completed");
    const [, request] = await model.requests();
    expect(JSON.stringify(request?.body.messages)).toMatch(/"tool_result".*"is_error":true/);
    expect(await model.violations()).toEqual([]);
  });
});
