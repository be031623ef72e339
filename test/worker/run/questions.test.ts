/** `ask_user`: the agent's questions wait like permissions, on any device, and what is answered allows nothing (api.md §2 and §3). */
import { env, runInDurableObject } from "cloudflare:test";
import { describe, inject, it } from "vitest";
import { callTool, callTools, say } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { STOPPED_OR_STOPPING } from "../../support/workerd/answer.ts";
import { type CrashPoint, died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { kinds, runClient } from "../../support/workerd/run-client.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const ANSWERED = { status: 409, body: { error: "Question already answered." } };
const EXPIRED = { status: 410, body: { error: "Question has expired." } };
const NOT_FOUND = { status: 404, body: { error: "Question not found." } };

const MESSAGE = ["message_start", "message_end"];
const ASKED = ["question_request", "run_status", "question_reply", "run_status"];
const SAID = ["message_start", "text_delta", "message_end"];

const where = {
  question: "Which exchange?",
  options: [{ label: "Nasdaq", description: "In dollars." }, { label: "Xetra" }],
};
const what = { question: "Which of these?", options: [{ label: "AAPL" }, { label: "MSFT" }], multiple: true };

const ask = (questions: readonly unknown[] = [where, what]) => callTool("ask_user", { questions });

/** A new person's turn up to where it waits for an answer. */
const askedTurn = async (replies: readonly Reply[] = [ask(), say("Done.")]) => {
  const model = await scriptModel(inject("modelUrl"), replies);
  const client = somebody();
  const turn = await client.startTurn("t", model.prompt("Add what I like"));
  const request = theOnly(await client.eventsUntil(turn.events, "run_status"), "question_request");
  const path = `/_framework/runs/${turn.runId}/questions/${request.requestId}`;
  const answer = (...answers: string[][]) => client.ask("POST", path, { answers });
  const decline = () => client.ask("POST", path, { declined: true });
  /** What the model read about its questions. */
  const told = async () => JSON.stringify(Object((await model.requests())[1]?.body.messages).at(-1));
  return { model, client, turn, request, path, answer, decline, told, toEnd: () => client.events(turn.events) };
};

/** Lets the request's time run out. */
const expire = (runId: string) =>
  runInDurableObject(env.RUNS.getByName(runId), async (_, { storage }) => {
    storage.sql.exec(
      "UPDATE permission_request SET request = json_set(request, '$.expiresAt', '2026-01-01T00:00:00Z')",
    );
    await storage.sync();
  });

describe("questions", () => {
  it("wait for a person, in the stream and in the run (api.md §2 and §3)", async ({ expect }) => {
    const { client, turn, request, path } = await askedTurn();
    expect(request.questions).toEqual([{ ...where, multiple: false }, what]);
    expect(Date.parse(request.expiresAt) - Date.parse(request.at)).toBeCloseTo(24 * 3_600_000, -3);
    const view = { status: "waiting_permission", pendingPermissions: [], pendingQuestions: [request] };
    expect(await client.view(turn.runId)).toMatchObject(view);
    const { requestId, toolCallId, questions, expiresAt } = request;
    const shown = { requestId, toolCallId, questions, expiresAt };
    expect(await client.ask("GET", path)).toEqual({ status: 200, body: shown });
  });

  it("are answered with options, several of them, or a text of one's own", async ({ expect }) => {
    const { model, client, turn, request, path, answer, told, toEnd } = await askedTurn();
    const answers = [["  Frankfurt, please  "], ["AAPL", "MSFT"]];
    const given = [["Frankfurt, please"], ["AAPL", "MSFT"]];
    const { requestId } = request;
    expect(await answer(...answers)).toEqual({ status: 200, body: { requestId, answers: given } });
    const events = await toEnd();
    expect(kinds(events)).toEqual([
      ...["run_start", "user_message", ...MESSAGE, "tool_start", ...ASKED, "tool_end", ...SAID, "run_end"],
    ]);
    const { type, seq, at, ...reply } = theOnly(events, "question_reply");
    expect(reply).toEqual({ requestId, answers: given, by: "user" });
    expect(theOnly(events, "tool_end")).toMatchObject({ status: "completed" });
    expect(await told()).toContain(
      "Question: Which exchange?\\nAnswer: Frankfurt, please\\n\\nQuestion: Which of these?\\nAnswers:\\n- AAPL\\n- MSFT",
    );
    expect(await client.ask("GET", path)).toMatchObject({ body: { answers: given, by: "user" } });
    expect(await client.view(turn.runId)).toMatchObject({ status: "completed", pendingQuestions: [] });
    expectWhole(events, "completed");
    expect(await model.violations()).toEqual([]);
  });

  it("can be declined: the model reads that, and goes on", async ({ expect }) => {
    const { model, request, decline, answer, told, toEnd } = await askedTurn();
    const declined = { status: 200, body: { requestId: request.requestId, answers: null } };
    expect(await decline()).toEqual(declined);
    expect(await decline()).toEqual(declined);
    expect(await answer(["Nasdaq"], ["AAPL"])).toEqual(ANSWERED);
    const events = await toEnd();
    expect(theOnly(events, "question_reply")).toMatchObject({ answers: null, by: "user" });
    expect(theOnly(events, "tool_end")).toMatchObject({ status: "denied" });
    expect(await told()).toContain("The person declined to answer.");
    expect(await model.violations()).toEqual([]);
  });

  it("that nobody answers in time count as declined, and an answer comes too late", async ({ expect }) => {
    const { client, turn, answer, told, toEnd } = await askedTurn();
    await expire(turn.runId);
    await client.wake(turn.runId);
    const events = await toEnd();
    expect(theOnly(events, "question_reply")).toMatchObject({ answers: null, by: "system" });
    expect(await told()).toContain("Nobody answered in time");
    expect(await answer(["Nasdaq"], ["AAPL"])).toEqual(EXPIRED);
    expectWhole(events, "completed");
  });

  it("end with the run that is aborted", async ({ expect }) => {
    const { client, turn, answer, toEnd } = await askedTurn();
    expect(await client.abort(turn.runId)).toMatchObject({ body: { status: STOPPED_OR_STOPPING } });
    const events = await toEnd();
    expect(theOnly(events, "question_reply")).toMatchObject({ answers: null, by: "system" });
    expect(theOnly(events, "tool_end")).toMatchObject({ status: "aborted" });
    expect(await answer(["Nasdaq"], ["AAPL"])).toEqual(EXPIRED);
    expectWhole(events, "aborted");
  });

  it("take the first of two answers that arrive together", async ({ expect }) => {
    const { answer, decline, toEnd } = await askedTurn();
    const both = await Promise.all([answer(["Nasdaq"], ["AAPL"]), decline()]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const winner = both.find(({ status }) => status === 200);
    expect(theOnly(await toEnd(), "question_reply").answers).toEqual(Object(winner?.body).answers);
  });

  it("come after the reads beside them, and one after the other", async ({ expect }) => {
    const one = { name: "ask_user", input: { questions: [where] } };
    const replies = [callTools([one, { name: "list-stocks", input: {} }, one]), say("Done.")];
    const { model, client, turn, request } = await askedTurn(replies);
    const events = await client.followAllowing(turn.runId);
    expect(kinds(events)).toEqual([
      ...["run_start", "user_message", ...MESSAGE, "tool_start", "tool_start", "tool_start", "tool_end"],
      ...[...ASKED, "tool_end", ...ASKED, "tool_end", ...SAID, "run_end"],
    ]);
    expect(ofType(events, "tool_end").map(({ toolCallId }) => toolCallId)).toEqual(["1-1", "1-0", "1-2"]);
    expect(request.toolCallId).toBe("1-0");
    expect(await model.violations()).toEqual([]);
  });
});

describe("an answer", () => {
  it("is no permission: the change it is about asks all the same", async ({ expect }) => {
    const mayI = { question: "May I add AAPL?", options: [{ label: "Allow once" }, { label: "allow_always" }] };
    const add = callTool("add-stock", { symbol: "AAPL" });
    const { model, client, turn, answer } = await askedTurn([ask([mayI]), add, say("Done.")]);
    const { lastSeq } = await client.view(turn.runId);
    await answer(["allow_always"]);
    const later = await client.eventsUntil(`${turn.events}?after=${lastSeq}`, "permission_request");
    const asked = theOnly(later, "permission_request");
    expect(await client.action("list-stocks", {})).toMatchObject({ total: 0 });
    await client.decide(turn.runId, asked.requestId, { decision: "reject" });
    expectWhole(await client.events(turn.events), "completed");
    expect(await model.violations()).toEqual([]);
  });

  it("and a decision do not stand for each other", async ({ expect }) => {
    const { client, turn, request } = await askedTurn();
    const decided = await client.decide(turn.runId, request.requestId, { decision: "allow_once" });
    expect(decided).toEqual({ status: 404, body: { error: "Permission request not found." } });
    const permissionPath = `/_framework/runs/${turn.runId}/permissions/${request.requestId}`;
    expect(await client.ask("GET", permissionPath)).toMatchObject({ status: 404 });
    const model = await scriptModel(inject("modelUrl"), [callTool("add-stock", { symbol: "AAPL" })]);
    const other = await client.startTurn("other", model.prompt("Add it"));
    const permission = theOnly(await client.eventsUntil(other.events, "run_status"), "permission_request");
    const path = `/_framework/runs/${other.runId}/questions/${permission.requestId}`;
    expect(await client.ask("POST", path, { answers: [["allow_once"]] })).toEqual(NOT_FOUND);
    expect(await client.ask("GET", path)).toEqual(NOT_FOUND);
    expect(await client.view(other.runId)).toMatchObject({ status: "waiting_permission" });
  });

  it("from somebody else finds nothing", async ({ expect }) => {
    const { client, turn, path } = await askedTurn();
    const stranger = somebody();
    const nobody = { status: 404, body: { error: "Run not found." } };
    expect(await stranger.ask("POST", path, { declined: true })).toEqual(nobody);
    expect(await stranger.ask("GET", path)).toEqual(nobody);
    expect(await client.view(turn.runId)).toMatchObject({ status: "waiting_permission" });
  });

  it.for<[string, unknown, string]>([
    ["too few lists", { answers: [["Nasdaq"]] }, "answers: give one list for each question, which makes 2."],
    [
      "two where one is wanted",
      { answers: [["Nasdaq", "Xetra"], ["AAPL"]] },
      "answers: give one answer to question 1.",
    ],
    [
      "too much",
      { answers: [["a"], Array(5).fill("x".repeat(2_000))] },
      "answers: use at most 8,000 characters in all.",
    ],
    ["an empty text", { answers: [["Nasdaq"], ["  "]] }, "answers: give a list of 1 to 7 texts"],
    ["an empty list", { answers: [["Nasdaq"], []] }, "answers: give a list of 1 to 7 texts"],
    ["both", { answers: [["Nasdaq"], ["AAPL"]], declined: true }, "answers: give a list of 1 to 7 texts"],
    ["neither", {}, "answers: give a list of 1 to 7 texts"],
    ["a decision", { decision: "allow_once" }, "answers: give a list of 1 to 7 texts"],
  ])("with %s is refused (api.md §1)", async ([, body, error], { expect }) => {
    const { client, turn, path } = await askedTurn();
    const answer = await client.ask("POST", path, body);
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining(error) } });
    expect(await client.view(turn.runId)).toMatchObject({ status: "waiting_permission" });
  });
});

it.for<[string, readonly unknown[], string]>([
  ["no options", [{ question: "Why?", options: [] }], "questions.options: use 2 to 6 options"],
  ["five questions", Array(5).fill(where), "questions: use 1 to 4 questions"],
  ["an option twice", [{ question: "Why?", options: [{ label: "a" }, { label: "a" }] }], "use a different label"],
])("a call with %s asks nobody, and the model reads why", async ([, questions, problem], { expect }) => {
  const model = await scriptModel(inject("modelUrl"), [ask(questions), say("Sorry.")]);
  const events = await somebody().runToEnd("t", model.prompt("Ask me"));
  expect(theOnly(events, "tool_end")).toMatchObject({ status: "failed", output: expect.stringContaining(problem) });
  expect(ofType(events, "question_request")).toEqual([]);
});

describe("a run with questions whose object dies", () => {
  it.for<CrashPoint>([
    "after closeMessage",
    "before askQuestions",
    "after askQuestions",
    "before endCall",
    "after endCall",
    "before send session",
    "after send session",
  ])("asks once, and has the answer, when it dies %s", async (point, { expect }) => {
    const threadId = `question crash ${point}`;
    const model = await scriptModel(inject("modelUrl"), [ask([where]), say("Nasdaq."), say("Nasdaq.")]);
    const client = runClient(`${point.replaceAll(" ", "-").toLowerCase()}-question@example.com`);
    planCrashes(threadId, [point]);
    const turn = await client.startTurn(threadId, model.prompt("Ask me"));
    const events = await client.followAllowing(turn.runId);
    expectWhole(events, "completed");
    expect(theOnly(events, "question_reply")).toMatchObject({ answers: [["Nasdaq"]], by: "user" });
    expect(await client.follow(turn.events)).toEqual(events);
    await died(threadId);
    const last = (await model.requests()).at(-1);
    expect(JSON.stringify(last?.body.messages).split("Answer: Nasdaq")).toHaveLength(2);
    expect(await model.violations()).toEqual([]);
  });
});
