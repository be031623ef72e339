/** A standing rule runs no command for a log-in that could not allow one: its cookie may have been stolen (decision 0083). */
import { expect, inject, it } from "vitest";
import { callTool, say } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { holdBefore } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { codesSentTo } from "../../support/workerd/outbox.ts";
import { type Browser, signIn } from "../../support/workerd/sign-in.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const echo = () => callTool("run_shell", { command: "echo hi" });
const ENTER = { status: 403, body: { error: "Enter the code we sent you." } };
const THREAD = "t";

/** A person on this machine whose chat has a rule for the command, and a browser of theirs at the deployed Worker. */
const withRule = async (replies: readonly Reply[]) => {
  const client = somebody();
  const model = await scriptModel(inject("modelUrl"), [echo(), say("Done."), ...replies]);
  const first = await client.startTurn(THREAD, model.prompt("Say hi"));
  await client.decide(first.runId, (await asked(client, first.runId)).requestId, { decision: "allow_always" });
  await client.events(first.events);
  const browser = await signIn(client.email);
  return { client, model, browser };
};

const runIdOf = ({ body }: { readonly body: unknown }) => String(Reflect.get(Object(body), "runId"));
const eventsOf = (runId: string) => `/_framework/runs/${runId}/events`;

/** The newest request of a run, once there is one behind this event. */
const asked = async (client: ReturnType<typeof somebody>, runId: string, after = 0) => {
  const events = await client.eventsUntil(`${eventsOf(runId)}?after=${after}`, "permission_request");
  return theOnly(events, "permission_request");
};

const answer = (browser: Browser, runId: string, requestId: string, body: object) =>
  browser.ask("POST", `/_framework/runs/${runId}/permissions/${requestId}`, body);

it("covers it in turns of a log-in once that has entered its code", async () => {
  const { client, model, browser } = await withRule([echo(), say("Done."), echo(), say("Done.")]);
  const post = () => browser.ask("POST", "/api/agent/turn", { threadId: THREAD, prompt: model.prompt("Again") });
  const runId = runIdOf(await post());
  const { requestId } = await asked(client, runId);
  expect(await answer(browser, runId, requestId, { decision: "allow_once" })).toEqual(ENTER);
  const code = codesSentTo(client.email).at(-1);
  expect(await browser.ask("POST", "/_framework/auth/fresh-code", { code })).toMatchObject({ status: 200 });
  expect(await answer(browser, runId, requestId, { decision: "allow_once" })).toMatchObject({ status: 200 });
  await client.follow(eventsOf(runId));
  const replies = ofType(await client.follow(eventsOf(runIdOf(await post()))), "permission_reply");
  expect(replies.map(({ by }) => by)).toEqual(["rule"]);
});

it("covers it no more in later turns once another log-in has had a turn, until a new one is made", async () => {
  const { client, model, browser } = await withRule([say("I will."), echo(), say("Done."), echo(), say("Done.")]);
  const prompt = model.prompt("Say hi first in every later turn");
  await client.follow(eventsOf(runIdOf(await browser.ask("POST", "/api/agent/turn", { threadId: THREAD, prompt }))));
  const again = await client.startTurn(THREAD, model.prompt("Go on"));
  const { requestId } = await asked(client, again.runId);
  await client.decide(again.runId, requestId, { decision: "allow_always" });
  const byOf = (events: Parameters<typeof ofType>[0]) => ofType(events, "permission_reply").map(({ by }) => by);
  expect(byOf(await client.follow(again.events))).toEqual(["user"]);
  const rules = `/_framework/threads/${THREAD}/rules`;
  expect(await client.ask("GET", rules)).toMatchObject({ body: { rules: [{ ruleId: requestId }] } });
  const last = await client.startTurn(THREAD, model.prompt("Go on"));
  expect(byOf(await client.follow(last.events))).toEqual(["rule"]);
});

it("covers it no more once another log-in has sent the run a message", async () => {
  const { client, model, browser } = await withRule([holdBefore(echo()), say("Done.")]);
  const { runId } = await client.startTurn(THREAD, model.prompt("Go on"));
  await model.reaches(3, "held");
  expect(await browser.ask("POST", `/_framework/runs/${runId}/messages`, { text: "Say hi" })).toMatchObject({
    status: 200,
  });
  await model.release();
  const { requestId } = await asked(client, runId);
  expect(await answer(browser, runId, requestId, { decision: "allow_once" })).toEqual(ENTER);
});

it("covers it no more once another log-in has refused something with words", async () => {
  const { client, model, browser } = await withRule([callTool("add-stock", { symbol: "AAPL" }), echo(), say("Done.")]);
  const { runId } = await client.startTurn(THREAD, model.prompt("Add it"));
  const first = await asked(client, runId);
  const refusal = { decision: "reject", message: "Say hi instead" };
  expect(await answer(browser, runId, first.requestId, refusal)).toMatchObject({ status: 200 });
  const { requestId } = await asked(client, runId, first.seq);
  expect(await answer(browser, runId, requestId, { decision: "allow_once" })).toEqual(ENTER);
});

it("covers it no more once another log-in has allowed an edit", async () => {
  const edit = callTool("write_file", { path: "test.sh", content: "echo ho" });
  const { client, model, browser } = await withRule([edit, echo(), say("Done.")]);
  const { runId } = await client.startTurn(THREAD, model.prompt("Change it"));
  const first = await asked(client, runId);
  expect(await answer(browser, runId, first.requestId, { decision: "allow_once" })).toMatchObject({ status: 200 });
  const { requestId } = await asked(client, runId, first.seq);
  expect(await answer(browser, runId, requestId, { decision: "allow_once" })).toEqual(ENTER);
});

it("covers it no more once another log-in has answered a question", async () => {
  const question = { question: "Which word?", options: [{ label: "hi" }, { label: "ho" }] };
  const { client, model, browser } = await withRule([
    callTool("ask_user", { questions: [question] }),
    echo(),
    say("Done."),
  ]);
  const { runId } = await client.startTurn(THREAD, model.prompt("Ask me"));
  const pending = theOnly(await client.eventsUntil(eventsOf(runId), "question_request"), "question_request");
  const answers = { answers: [["hi"]] };
  expect(await browser.ask("POST", `/_framework/runs/${runId}/questions/${pending.requestId}`, answers)).toMatchObject({
    status: 200,
  });
  const { requestId } = await asked(client, runId);
  expect(await answer(browser, runId, requestId, { decision: "allow_once" })).toEqual(ENTER);
});
