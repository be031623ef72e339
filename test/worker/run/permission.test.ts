/** Permission mode `allow-reads`: who is asked, who may answer, and what the answer does (api.md §2 to §4). */
import { describe, inject, it } from "vitest";
import { callTool, callTools, say } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { handedOver } from "../../support/workerd/handed-over.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { kinds } from "../../support/workerd/run-client.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const ANSWERED = { status: 409, body: { error: "Permission request already answered." } };
const EXPIRED = { status: 410, body: { error: "Permission request has expired." } };
const INVALID = { status: 400, body: { error: "Invalid decision." } };

const MESSAGE = ["message_start", "message_end"];
const ASKED = ["permission_request", "run_status", "permission_reply", "run_status"];
const SAID = ["message_start", "text_delta", "message_end"];

const addStock = (symbol: string) => ({ name: "add-stock", input: { symbol } });

/** A new person's turn up to where it waits for an answer. */
const askedTurn = async (replies: readonly Reply[] = [callTool("add-stock", { symbol: "AAPL" }), say("Done.")]) => {
  const model = await scriptModel(inject("modelUrl"), replies);
  const client = somebody();
  const turn = await client.startTurn("t", model.prompt("Change something"));
  const events = await client.eventsUntil(turn.events, "run_status");
  const request = theOnly(events, "permission_request");
  const decide = (decision: string, message?: string) =>
    client.decide(turn.runId, request.requestId, { decision, ...(message === undefined ? {} : { message }) });
  const path = `/_framework/runs/${turn.runId}/permissions/${request.requestId}`;
  return { model, client, turn, request, decide, path, toEnd: () => client.events(turn.events) };
};

describe("an edit by the agent", () => {
  it("waits, and shows what would happen (api.md §3 and §4)", async ({ expect }) => {
    const { client, turn, request } = await askedTurn();
    expect(request).toMatchObject({
      tool: "add-stock",
      kind: "edit",
      subject: { type: "action", name: "add-stock", input: { symbol: "AAPL" } },
      options: [{ decision: "allow_once" }, { decision: "allow_always" }, { decision: "reject" }],
    });
    expect(Date.parse(request.expiresAt) - Date.parse(request.at)).toBeCloseTo(24 * 3_600_000, -3);
    expect(await client.view(turn.runId)).toMatchObject({
      status: "waiting_permission",
      pendingPermissions: [request],
    });
    expect(await client.action("list-stocks", {})).toMatchObject({ total: 0 });
  });

  it("shows the record it would change (api.md §3, subject)", async ({ expect }) => {
    const client = somebody();
    const added = await client.action("add-stock", { symbol: "AAPL", notes: "as it was" });
    const { id } = Object(added).stock;
    const model = await scriptModel(inject("modelUrl"), [callTool("update-stock", { id, set: { notes: "new" } })]);
    const turn = await client.startTurn("t", model.prompt("Change it"));
    const request = theOnly(await client.eventsUntil(turn.events, "run_status"), "permission_request");
    expect(request.subject).toMatchObject({ type: "action", before: { id, symbol: "AAPL", notes: "as it was" } });
  });

  it("happens once when it is allowed once (api.md §3, Order)", async ({ expect }) => {
    const { model, client, decide, toEnd } = await askedTurn();
    expect(await decide("allow_once")).toMatchObject({ status: 200 });
    const events = await toEnd();
    expect(kinds(events)).toEqual([
      ...["run_start", "user_message", ...MESSAGE, "tool_start", ...ASKED, "tool_end", ...SAID, "run_end"],
    ]);
    expect(ofType(events, "run_status").map(({ status }) => status)).toEqual(["waiting_permission", "running"]);
    expect(theOnly(events, "permission_reply")).toMatchObject({ decision: "allow_once", by: "user" });
    expect(theOnly(events, "tool_end")).toMatchObject({ status: "completed" });
    const stocks = await client.action("list-stocks", {});
    expect(stocks).toMatchObject({ items: [{ symbol: "AAPL", updatedVia: "agent" }], total: 1 });
    expect(await model.violations()).toEqual([]);
  });

  it("does not happen when it is rejected; the model reads the person's words and continues (api.md §4)", async ({
    expect,
  }) => {
    const { model, client, decide, toEnd } = await askedTurn();
    expect(await decide("reject", "Not before Friday")).toMatchObject({ status: 200, body: { decision: "reject" } });
    const events = await toEnd();
    expect(kinds(events)).toEqual([
      ...["run_start", "user_message", ...MESSAGE, "tool_start", ...ASKED, "tool_end", ...SAID, "run_end"],
    ]);
    expect(theOnly(events, "permission_reply")).toMatchObject({ decision: "reject", message: "Not before Friday" });
    expect(theOnly(events, "tool_end")).toMatchObject({ status: "denied" });
    expect(events.at(-1)).toMatchObject({ status: "completed" });
    expect(await client.action("list-stocks", {})).toMatchObject({ total: 0 });
    const [, request] = await model.requests();
    expect(JSON.stringify(request?.body.messages)).toMatch(/"tool_result".*Not before Friday.*"is_error":true/);
    expect(await model.violations()).toEqual([]);
  });

  it("is one of several that are asked about one after the other (api.md §3, Order)", async ({ expect }) => {
    const { model, client, turn, request, decide } = await askedTurn([
      callTools([addStock("AAPL"), addStock("MSFT"), { name: "list-stocks", input: {} }]),
      say("Done."),
    ]);
    const before = await client.view(turn.runId);
    expect(before.pendingPermissions).toEqual([request]);
    await decide("reject");
    const next = await client.eventsUntil(`${turn.events}?after=${before.lastSeq}`, "permission_request");
    const second = theOnly(next, "permission_request");
    await client.decide(turn.runId, second.requestId, { decision: "allow_once" });
    const events = await client.events(turn.events);
    expect(kinds(events)).toEqual([
      ...["run_start", "user_message", ...MESSAGE, "tool_start", "tool_start", "tool_start", "tool_end"],
      ...[...ASKED, "tool_end", ...ASKED, "tool_end", ...SAID, "run_end"],
    ]);
    const [list, aapl, msft] = ofType(events, "tool_end");
    expect([list?.status, aapl?.status, msft?.status]).toEqual(["completed", "denied", "completed"]);
    expect([aapl?.toolCallId, msft?.toolCallId]).toEqual([request.toolCallId, second.toolCallId]);
    expect(await client.action("list-stocks", {})).toMatchObject({ items: [{ symbol: "MSFT" }] });
    expect(await model.violations()).toEqual([]);
  });
});

describe("a turn that waits for a person", () => {
  it("holds up its thread and no other (api.md §2)", async ({ expect }) => {
    const { model, client, decide } = await askedTurn();
    await model.add([say("Next.")]);
    const elsewhere = await scriptModel(inject("modelUrl"), [say("Hi.")]);
    const next = await client.startTurn("t", model.prompt("Next"));
    const other = await client.startTurn("other", elsewhere.prompt("Hello"));
    await client.events(other.events);
    expect(await client.view(next.runId)).toMatchObject({ status: "queued" });
    await decide("reject");
    expect((await client.events(next.events)).at(-1)).toMatchObject({ type: "run_end", status: "completed" });
  });
});

describe("a request's own route (api.md §2)", () => {
  it("shows the request, and the decision once there is one", async ({ expect }) => {
    const { client, request, decide, path } = await askedTurn();
    const { requestId, toolCallId, tool, kind, title, subject, options, expiresAt } = request;
    const shown = { requestId, toolCallId, tool, kind, title, subject, options, expiresAt };
    const open = await client.ask("GET", path);
    expect(open).toMatchObject({ status: 200, body: shown });
    expect(open.body).not.toHaveProperty("decision");
    expect(open.body).not.toHaveProperty("by");
    await decide("reject");
    expect(await client.ask("GET", path)).toMatchObject({ body: { ...shown, decision: "reject", by: "user" } });
  });

  it("has the whole of a subject that is cut in the stream (api.md §3)", async ({ expect }) => {
    const items = Array.from({ length: 30 }, (_, nth) => ({ symbol: `S${nth}`, notes: "n".repeat(4_000) }));
    const { client, request, path } = await askedTurn([callTool("add-stock", { items })]);
    expect(JSON.stringify(request).length).toBeLessThan(65_536);
    expect(JSON.stringify(request)).toContain('"truncated":true');
    expect(request.options.map(({ decision }) => decision)).toEqual(["allow_once", "reject"]);
    expect(await client.ask("GET", path)).toMatchObject({ body: { subject: { input: { items } } } });
  });
});

describe("a decision", () => {
  it("is answered with the request's id, and again when it is repeated, also after the end (api.md §2)", async ({
    expect,
  }) => {
    const { request, decide, toEnd } = await askedTurn();
    const accepted = { status: 200, body: { requestId: request.requestId, decision: "allow_once" } };
    expect(await decide("allow_once")).toEqual(accepted);
    expect(await decide("allow_once")).toEqual(accepted);
    await toEnd();
    expect(await decide("allow_once")).toEqual(accepted);
    expect(await decide("reject")).toEqual(ANSWERED);
    expect(await decide("allow_always")).toEqual(ANSWERED);
  });

  it("is the first of two that arrive together (api.md §2)", async ({ expect }) => {
    const { client, decide, toEnd } = await askedTurn();
    const answers = await Promise.all([decide("allow_once"), decide("reject")]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const winner = answers.find(({ status }) => status === 200);
    const events = await toEnd();
    expect(theOnly(events, "permission_reply").decision).toBe(Object(winner?.body).decision);
    const total = { allow_once: 1, reject: 0 }[String(Object(winner?.body).decision)];
    expect(await client.action("list-stocks", {})).toMatchObject({ total });
  });

  it("comes too late after an abort (api.md §2)", async ({ expect }) => {
    const { client, turn, decide } = await askedTurn();
    await client.abort(turn.runId);
    expect(await decide("allow_once")).toEqual(EXPIRED);
    expect(await client.action("list-stocks", {})).toMatchObject({ total: 0 });
  });

  it.for([{ decision: "yes" }, { decision: "expired" }, { decision: null }, {}, [], "allow_once", null])(
    "is refused when it is %o (api.md §1)",
    async (body, { expect }) => {
      const { client, turn, path } = await askedTurn();
      expect(await client.ask("POST", path, body)).toEqual(INVALID);
      expect(await client.view(turn.runId)).toMatchObject({ status: "waiting_permission" });
    },
  );

  it.for([
    ["delete-stock of several ids", "delete-stock", { ids: [crypto.randomUUID(), crypto.randomUUID()] }],
    ["add-stock with items", "add-stock", { items: [{ symbol: "AAPL" }] }],
  ] as const)("cannot be allow_always for %s (api.md §4)", async ([, tool, input], { expect }) => {
    const { client, turn, request, decide } = await askedTurn([callTool(tool, input), say("Done.")]);
    expect(request.options.map(({ decision }) => decision)).toEqual(["allow_once", "reject"]);
    expect(await decide("allow_always")).toEqual(INVALID);
    expect(await client.view(turn.runId)).toMatchObject({ status: "waiting_permission" });
    expect(await decide("allow_once")).toMatchObject({ status: 200 });
  });
});

describe("a standing rule", () => {
  it("is made by allow_always and answers the next request at once (api.md §3, Order)", async ({ expect }) => {
    const { model, client, decide, toEnd } = await askedTurn();
    await decide("allow_always");
    await handedOver(await toEnd());
    await model.add([callTools([addStock("MSFT"), addStock("TSLA")]), say("Done.")]);
    const events = await client.runToEnd("t", "Add two more");
    expect(kinds(events)).toEqual([
      ...["run_start", "user_message", ...MESSAGE, "tool_start", "tool_start"],
      ...["permission_request", "permission_reply", "tool_end", "permission_request", "permission_reply", "tool_end"],
      ...[...SAID, "run_end"],
    ]);
    expect(ofType(events, "permission_reply")).toMatchObject([
      { decision: "allow_always", by: "rule" },
      { decision: "allow_always", by: "rule" },
    ]);
    expect(await client.action("list-stocks", {})).toMatchObject({ total: 3 });
    expect(await model.violations()).toEqual([]);
  });

  it("holds from the next call of the same message on (api.md §4)", async ({ expect }) => {
    const { decide, toEnd } = await askedTurn([callTools([addStock("AAPL"), addStock("MSFT")]), say("Done.")]);
    await decide("allow_always");
    expect(ofType(await toEnd(), "permission_reply").map(({ by }) => by)).toEqual(["user", "rule"]);
  });

  it("leaves nothing to answer: 409 (api.md §2)", async ({ expect }) => {
    const { client, turn, decide, toEnd } = await askedTurn([
      callTools([addStock("AAPL"), addStock("MSFT")]),
      say("Done."),
    ]);
    await decide("allow_always");
    const second = ofType(await toEnd(), "permission_request").at(1);
    const answer = (decision: string) => client.decide(turn.runId, String(second?.requestId), { decision });
    expect(await answer("allow_always")).toEqual(ANSWERED);
    expect(await answer("reject")).toEqual(ANSWERED);
  });

  it("covers this action in this thread, nothing else (api.md §4)", async ({ expect }) => {
    const { model, client, decide, toEnd } = await askedTurn();
    await decide("allow_always");
    await toEnd();
    await model.add([callTool("delete-stock", { id: crypto.randomUUID() }), callTool("add-stock", { symbol: "MSFT" })]);
    const sameThread = await client.startTurn("t", "Delete it");
    await client.eventsUntil(sameThread.events, "run_status");
    const otherThread = await client.startTurn("other", model.prompt("Add one"));
    await client.eventsUntil(otherThread.events, "run_status");
    expect(await client.view(sameThread.runId)).toMatchObject({ status: "waiting_permission" });
    expect(await client.view(otherThread.runId)).toMatchObject({ status: "waiting_permission" });
  });

  it("is listed with its label and can be revoked: then the agent asks again (api.md §2)", async ({ expect }) => {
    const { model, client, request, decide, toEnd } = await askedTurn();
    const label = request.options.find(({ decision }) => decision === "allow_always")?.label;
    await decide("allow_always");
    // A rule is handed over with the turn, at the latest.
    await handedOver(await toEnd());
    const path = `${client.threadPath("t")}/rules`;
    const { body } = await client.ask("GET", path);
    expect(body).toEqual({
      rules: [{ ruleId: expect.any(String), label: expect.any(String), createdAt: expect.any(String) }],
    });
    const [rule] = Object(body).rules;
    expect(label).toContain(rule.label);
    expect(rule.createdAt).toBe(new Date(rule.createdAt).toISOString());
    expect(await client.ask("DELETE", `${path}/${rule.ruleId}`)).toEqual({ status: 200, body: { ok: true } });
    expect(await client.ask("GET", path)).toEqual({ status: 200, body: { rules: [] } });
    expect(await client.ask("DELETE", `${path}/${rule.ruleId}`)).toEqual({
      status: 404,
      body: { error: "Rule not found." },
    });
    await model.add([callTool("add-stock", { symbol: "MSFT" })]);
    const turn = await client.startTurn("t", "Add another");
    await client.eventsUntil(turn.events, "run_status");
    expect(await client.view(turn.runId)).toMatchObject({ status: "waiting_permission" });
  });
});
