/** Plan mode: nothing is changed before a person has accepted a plan, whatever the model tries (api.md §2 to §4). */
import { describe, inject, it } from "vitest";
import { callTool, callTools, say } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { type CrashPoint, died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { kinds } from "../../support/workerd/run-client.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";

const INVALID = { status: 400, body: { error: "Invalid decision." } };

const MESSAGE = ["message_start", "message_end"];
const SAID = ["message_start", "text_delta", "message_end"];
const DECIDED = ["run_status", "permission_reply", "run_status", "tool_end"];

const PLAN = "## Plan\n\n1. Add AAPL";
const propose = (markdown = PLAN) => callTool("propose_plan", { markdown });
const add = () => callTool("add-stock", { symbol: "AAPL" });
const edits = () =>
  callTools([
    { name: "add-stock", input: { symbol: "AAPL" } },
    { name: "write_file", input: { path: "a.txt", content: "x" } },
    { name: "delete_file", input: { path: "b.txt" } },
    { name: "run_shell", input: { command: "touch c.txt" } },
    { name: "list-stocks", input: {} },
  ]);

/** Starts a turn in plan mode. */
const startPlan = async (client: Somebody, prompt: string, threadId = "t") => {
  const { status, body } = await client.postTurn({ threadId, prompt, mode: "plan" });
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return { runId: String(Object(body).runId), events: String(Object(body).events) };
};

/** A new person's turn in plan mode, up to its plan. */
const plannedTurn = async (replies: readonly Reply[], client = somebody()) => {
  const model = await scriptModel(inject("modelUrl"), replies);
  const turn = await startPlan(client, model.prompt("Add what I like"));
  const plan = theOnly(await client.eventsUntil(turn.events, "run_status"), "plan_proposed");
  const decide = (decision: string, message?: string) =>
    client.decide(turn.runId, plan.requestId, { decision, ...(message === undefined ? {} : { message }) });
  return { model, client, turn, plan, decide, toEnd: () => client.events(turn.events) };
};

/** What the model was sent, with the nth request's newest message. */
const sent = (requests: readonly { readonly body: Readonly<Record<string, unknown>> }[], nth: number) =>
  JSON.stringify(Object(requests[nth]?.body.messages).at(-1));

describe("a turn in plan mode", () => {
  it("refuses whatever changes something, lets reads run, and asks nobody", async ({ expect }) => {
    const model = await scriptModel(inject("modelUrl"), [edits(), edits(), say("I may not.")]);
    const client = somebody();
    const turn = await startPlan(client, model.prompt("Add what I like"));
    const events = await client.events(turn.events);
    const statuses = ofType(events, "tool_end").map(({ toolCallId, status }) => `${toolCallId} ${status}`);
    const refused = (step: number) => [0, 1, 2, 3].map((nth) => `${step}-${nth} denied`);
    expect(statuses).toEqual(["1-4 completed", ...refused(1), "2-4 completed", ...refused(2)]);
    expect(ofType(events, "permission_request")).toEqual([]);
    expect(theOnly(events, "run_start")).toMatchObject({ mode: "plan", permissionMode: "allow-reads" });
    expect(await client.action("list-stocks", {})).toMatchObject({ total: 0 });
    const requests = await model.requests();
    expect(sent(requests, 0)).toContain("This turn is in plan mode.");
    expect(sent(requests, 1)).toContain("Refused: this turn is in plan mode");
    expect(JSON.stringify(requests[0]?.body.system)).not.toContain("in plan mode");
    expect(await model.violations()).toEqual([]);
  });

  it("refuses also what a standing rule covers", async ({ expect }) => {
    const model = await scriptModel(inject("modelUrl"), [add(), say("Added."), add(), say("I may not.")]);
    const client = somebody();
    const first = await client.startTurn("t", model.prompt("Add it"));
    const asked = theOnly(await client.eventsUntil(first.events, "run_status"), "permission_request");
    await client.decide(first.runId, asked.requestId, { decision: "allow_always" });
    await client.events(first.events);
    const events = await client.events((await startPlan(client, "Add it again")).events);
    expect(theOnly(events, "tool_end")).toMatchObject({ status: "denied" });
    expect(ofType(events, "permission_reply")).toEqual([]);
    expect(await client.action("list-stocks", {})).toMatchObject({ total: 1 });
    expect(await model.violations()).toEqual([]);
  });

  it("shows its plan and goes ahead when it is accepted; each change still asks", async ({ expect }) => {
    const { model, client, turn, plan, decide } = await plannedTurn([propose(), add(), say("Done.")]);
    expect(plan).toMatchObject({ markdown: PLAN, toolCallId: "1-0" });
    const view = { status: "waiting_permission", pendingPermissions: [plan], pendingQuestions: [] };
    expect(await client.view(turn.runId)).toMatchObject(view);
    const path = `/_framework/runs/${turn.runId}/permissions/${plan.requestId}`;
    const { body } = await client.ask("GET", path);
    expect(body).toMatchObject({
      subject: { type: "plan", markdown: PLAN },
      options: [{ decision: "allow_once" }, { decision: "reject" }],
    });
    expect(await decide("allow_once")).toMatchObject({ status: 200, body: { decision: "allow_once" } });
    const events = await client.followAllowing(turn.runId);
    expect(kinds(events)).toEqual([
      ...["run_start", "user_message", ...MESSAGE, "tool_start", "plan_proposed", ...DECIDED],
      ...[...MESSAGE, "tool_start", "permission_request", ...DECIDED, ...SAID, "run_end"],
    ]);
    expect(sent(await model.requests(), 1)).toContain("The person accepted the plan, and plan mode is over.");
    expect(await client.action("list-stocks", {})).toMatchObject({ total: 1 });
    expectWhole(events, "completed");
    expect(await model.violations()).toEqual([]);
  });

  it("stays in plan mode when the plan is to be changed, and the model reads the person's words", async ({
    expect,
  }) => {
    const replies = [propose(), callTools([{ name: "add-stock", input: { symbol: "AAPL" } }]), say("All right.")];
    const { model, client, decide, toEnd } = await plannedTurn(replies);
    expect(await decide("reject", "MSFT as well")).toMatchObject({ status: 200 });
    const events = await toEnd();
    expect(ofType(events, "tool_end").map(({ status }) => status)).toEqual(["denied", "denied"]);
    expect(sent(await model.requests(), 1)).toMatch(/still in plan mode.*They said: MSFT as well/);
    expect(await client.action("list-stocks", {})).toMatchObject({ total: 0 });
    expect(await model.violations()).toEqual([]);
  });

  it("has no 'always' for a plan", async ({ expect }) => {
    const { client, turn, decide } = await plannedTurn([propose(), say("Done.")]);
    expect(await decide("allow_always")).toEqual(INVALID);
    expect(await client.view(turn.runId)).toMatchObject({ status: "waiting_permission" });
  });

  it("refuses what comes before its plan in a message, and asks about what comes after it", async ({ expect }) => {
    const symbol = (name: string) => ({ name: "add-stock", input: { symbol: name } });
    const plan = { name: "propose_plan", input: { markdown: PLAN } };
    const { model, client, turn } = await plannedTurn([
      callTools([symbol("AAPL"), plan, symbol("MSFT")]),
      say("Done."),
    ]);
    const events = await client.followAllowing(turn.runId);
    expect(ofType(events, "tool_end").map(({ status }) => status)).toEqual(["denied", "completed", "completed"]);
    expect(theOnly(events, "permission_request")).toMatchObject({ toolCallId: "1-2" });
    expect(await client.action("list-stocks", {})).toMatchObject({ items: [{ symbol: "MSFT" }], total: 1 });
    expect(await model.violations()).toEqual([]);
  });

  it("keeps its mode in the queue, and the thread's next turn has none", async ({ expect }) => {
    const replies = [propose(), say("No."), add(), say("I may not."), add(), say("Added.")];
    const { model, client, turn, decide } = await plannedTurn(replies);
    const queued = await startPlan(client, "Add it now");
    await decide("reject");
    await client.events(turn.events);
    expect(theOnly(await client.events(queued.events), "tool_end")).toMatchObject({ status: "denied" });
    const last = await client.startTurn("t", "Then do it");
    const events = await client.followAllowing(last.runId);
    expect(theOnly(events, "tool_end")).toMatchObject({ status: "completed" });
    expect(theOnly(events, "run_start")).not.toHaveProperty("mode");
    expect(await model.violations()).toEqual([]);
  });

  it.for<CrashPoint>([
    "after openMessage",
    "after closeMessage",
    "before ask",
    "after ask",
    "before endCall",
    "after endCall",
    "after markStarted",
    "after send session",
  ])("is left once, for good, when its object dies %s", async (point, { expect }) => {
    const threadId = `plan crash ${point}`;
    const client = somebody();
    // A message that is lost with its object has the model asked again.
    const lost = point === "after openMessage" ? [propose()] : [];
    const model = await scriptModel(inject("modelUrl"), [propose(), ...lost, add(), say("Done."), say("Done.")]);
    planCrashes(threadId, [point]);
    const turn = await startPlan(client, model.prompt("Add what I like"), threadId);
    const events = await client.followAllowing(turn.runId);
    expectWhole(events, "completed");
    expect(ofType(events, "plan_proposed")).toHaveLength(1);
    expect(ofType(events, "tool_end").map(({ status }) => status)).toEqual(["completed", "completed"]);
    expect(await client.action("list-stocks", {})).toMatchObject({ total: 1 });
    await died(threadId);
    expect(await model.violations()).toEqual([]);
  });
});

it("a plan outside plan mode asks nobody, and the model is told so", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [propose(), say("All right.")]);
  const events = await somebody().runToEnd("t", model.prompt("Plan it"));
  expect(theOnly(events, "tool_end")).toMatchObject({ status: "failed" });
  expect(ofType(events, "plan_proposed")).toEqual([]);
  expect(sent(await model.requests(), 1)).toContain("This turn is not in plan mode");
});

it.for([["other"], [1], [{}], [""]])("mode %o is refused (api.md §2)", async ([mode], { expect }) => {
  const refused = await somebody().postTurn({ threadId: "t", prompt: "Hi", mode });
  expect(refused).toEqual({ status: 400, body: { error: "mode: use plan, or leave it out." } });
});

describe("to-dos", () => {
  const todos = (...items: readonly [string, string][]) =>
    callTool("set_todos", { items: items.map(([text, state]) => ({ text, state })) });

  it("are shown whole each time, before the call's end", async ({ expect }) => {
    const replies = [todos(["Look", "doing"], ["Add", "open"]), todos(["Look", "done"]), todos(), say("Done.")];
    const model = await scriptModel(inject("modelUrl"), replies);
    const events = await somebody().runToEnd("t", model.prompt("Work"));
    expect(ofType(events, "todos").map(({ items }) => items)).toEqual([
      [
        { text: "Look", state: "doing" },
        { text: "Add", state: "open" },
      ],
      [{ text: "Look", state: "done" }],
      [],
    ]);
    expect(kinds(events).slice(0, 7)).toEqual([
      "run_start",
      "user_message",
      ...MESSAGE,
      "tool_start",
      "todos",
      "tool_end",
    ]);
    expect(ofType(events, "tool_end").map(({ output }) => output)).toEqual([
      "The person sees the list: 0 of 2 done.",
      "The person sees the list: 1 of 1 done.",
      "The person sees the list: 0 of 0 done.",
    ]);
    expectWhole(events, "completed");
    expect(await model.violations()).toEqual([]);
  });

  it("that are no list of to-dos are refused", async ({ expect }) => {
    const model = await scriptModel(inject("modelUrl"), [todos(["Look", "later"]), say("Sorry.")]);
    const events = await somebody().runToEnd("t", model.prompt("Work"));
    expect(theOnly(events, "tool_end")).toMatchObject({
      status: "failed",
      output: "items.state: use open, doing or done",
    });
    expect(ofType(events, "todos")).toEqual([]);
  });

  it("survive a crash of the call: the list is shown again", async ({ expect }) => {
    planCrashes("todo crash", ["before endCall"]);
    const model = await scriptModel(inject("modelUrl"), [todos(["Look", "doing"]), say("Done.")]);
    const client = somebody();
    const events = await client.follow((await client.startTurn("todo crash", model.prompt("Work"))).events);
    expect(ofType(events, "todos").at(-1)?.items).toEqual([{ text: "Look", state: "doing" }]);
    expectWhole(events, "completed");
    await died("todo crash");
  });
});
