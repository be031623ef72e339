/** A thread with two harnesses: one queue, one list of rules, and each resumes its own conversation (decision 0106). */
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { inject, it } from "vitest";
import { callTool, refuse, say, summary } from "../../support/model-script.ts";
import { fail, holdBefore } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { askAsDeveloper, askWith } from "../../support/workerd/ask-as-developer.ts";
import { died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { endListed } from "../../support/workerd/handed-over.ts";
import { threadOf } from "../../support/workerd/harness-under-test.ts";
import { insertLostStart } from "../../support/workerd/lost-start.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { kinds, type ReceivedEvent } from "../../support/workerd/run-client.ts";
import { planVariables } from "../../support/workerd/run-variables.ts";
import { promptsIn, sdkThread, sessionOf } from "../../support/workerd/sdk-thread.ts";
import { shiftedClock } from "../../support/workerd/shifted-clock.ts";

const HOUR_MS = 3_600_000;

it("each harness resumes its own session and is told what was said with the other one", async ({ expect }) => {
  const thread = sdkThread();
  const model = await scriptModel(inject("modelUrl"), [say("Ours."), say("Ours again.")]);
  await (await thread.start("[replay:two-turns] Hello")).events();
  const ours = await (await thread.start(model.prompt("And you?"), "anthropic")).events();
  expect(theOnly(ours, "run_start")).toMatchObject({ harness: "anthropic", resumed: false });
  const theirs = await (await thread.start("What did I say?")).events();
  expect(theOnly(theirs, "run_start")).toMatchObject({ harness: "agent-sdk", resumed: true });
  expect(theOnly(theirs, "message_end").text).toBe("You said hello.");
  await (await thread.start(model.prompt("Once more"), "anthropic")).events();
  const asked = (await model.requests()).map(({ body }) => JSON.stringify(Object(body).messages));
  expect(asked[0]).toContain("The person: [replay:two-turns] Hello");
  expect(asked[0]).toContain("The answer: Hello there.");
  // Told once, and kept with the turn it belongs to.
  expect(asked[1]?.split("Hello there.").length).toBe(2);
  expect(asked[1]).toContain("The answer: You said hello.");
});

it("what was said with the second harness can be summarized by hand, and both go on", async ({ expect }) => {
  const thread = sdkThread();
  const long = say("Three.", { usage: { input: 50_000 } });
  const replies = [say("One."), say("Two."), long, summary("They count."), say("Four.")];
  const model = await scriptModel(inject("modelUrl"), replies);
  await (await thread.start("[replay:two-turns] Hello")).handedOver();
  for (const text of ["First", "Second", "Third"]) {
    await (await thread.start(model.prompt(text), "anthropic")).handedOver();
  }
  const { status, body } = await askAsDeveloper("POST", `/_framework/threads/${thread.threadId}/compact`, {});
  expect([status, Object(body).tokensAfter < Object(body).tokensBefore]).toEqual([200, true]);
  const fourth = await (await thread.start(model.prompt("Fourth"), "anthropic")).handedOver();
  expectWhole(fourth, "completed");
  expect(theOnly(fourth, "context_compacted")).toMatchObject({ trigger: "manual", summary: "They count." });
  expect(JSON.stringify((await model.requests()).at(-1)?.body)).not.toContain("First");
  const theirs = await (await thread.start("What did I say?")).events();
  expectWhole(theirs, "completed");
  expect(await model.violations()).toEqual([]);
});

it("a summary by hand that its session cannot be asked for leaves the thread free", async ({ expect }) => {
  const thread = sdkThread();
  const model = await scriptModel(inject("modelUrl"), [say("One."), say("Two.")]);
  await (await thread.start("[replay:two-turns] Hello")).handedOver();
  await (await thread.start(model.prompt("First"), "anthropic")).handedOver();
  planCrashes("session", ["before load", "before load", "before finish", "before finish"]);
  const { status } = await askAsDeveloper("POST", `/_framework/threads/${thread.threadId}/compact`, {});
  expect(status).toBe(503);
  await died("session");
  // It begins at once: it does not wait for a place that was left taken.
  const events = await (await thread.start(model.prompt("Second"), "anthropic")).events();
  expectWhole(events, "completed");
  expect(kinds(events)).not.toContain("run_queued");
});

it("a start that died on its way is told what was said with the other harness too, when its key is repeated", async ({
  expect,
}) => {
  const thread = sdkThread();
  const model = await scriptModel(inject("modelUrl"), [say("Ours.")]);
  await (await thread.start("[replay:two-turns] Hello")).handedOver();
  const lost = { threadId: thread.threadId, prompt: model.prompt("And you?") };
  const runId = await insertLostStart("dev@local.test", lost.threadId, lost.prompt);
  const key = { "idempotency-key": lost.threadId };
  const repeated = await askWith({ AGENT_HARNESS: "anthropic" }, "POST", "/api/agent/turn", lost, key);
  expect(repeated).toMatchObject({ status: 200, body: { runId } });
  expectWhole(await thread.follow(`/_framework/runs/${runId}/events`), "completed");
  expect(JSON.stringify((await model.requests())[0]?.body)).toContain("The answer: Hello there.");
});

it("what was said with the other harness is told by the next turn where one was aborted before it told it", async ({
  expect,
}) => {
  const thread = sdkThread();
  const model = await scriptModel(inject("modelUrl"), [say("Ours.")]);
  await (await thread.start(model.prompt("And you?"), "anthropic")).handedOver();
  const aborted = await thread.start("[hang]");
  await aborted.eventsUntil("user_message");
  await aborted.abort();
  await aborted.handedOver();
  const events = await (await thread.start("[replay:two-turns] Hello")).handedOver();
  expect(await promptsIn(events)).toEqual([expect.stringContaining("The answer: Ours.")]);
});

it("what was said with the other harness is told by the next turn where the budget stopped one that was not sent", async ({
  expect,
}) => {
  const thread = sdkThread();
  const model = await scriptModel(inject("modelUrl"), [say("Ours.")]);
  await (await thread.start(model.prompt("And you?"), "anthropic")).handedOver();
  const { url, token } = inject("harnessHost");
  const address = { WORKSPACE_URL: url, WORKSPACE_TOKEN: token };
  planVariables(thread.threadId, { ...address, AGENT_RUN_BUDGET_USD: "0.000001" });
  const stopped = await thread.start("[replay:two-turns] Hello");
  await stopped.decideNext(0, "reject");
  expectWhole(await stopped.handedOver(), "incomplete");
  planVariables(thread.threadId, address);
  const events = await (await thread.start("[replay:two-turns] Hello")).handedOver();
  expect(await promptsIn(events)).toEqual([expect.stringContaining("The answer: Ours.")]);
});

it("what was said with the other harness is told again where the model refused the turn that told it", async ({
  expect,
}) => {
  const thread = sdkThread();
  const model = await scriptModel(inject("modelUrl"), [refuse("I cannot."), say("Ours."), say("Ours again.")]);
  await (await thread.start("[replay:two-turns] Hello")).handedOver();
  for (const text of ["Forbidden words", "And you?", "Once more"]) {
    const run = await thread.start(model.prompt(text), "anthropic");
    await run.handedOver();
    // A turn whose end is not known yet counts as one that may not have told it.
    await endListed(run.runId);
  }
  const asked = (await model.requests()).map(({ body }) => JSON.stringify(Object(body).messages));
  expect(asked.map((messages) => messages.split("The answer: Hello there.").length - 1)).toEqual([1, 1, 1]);
});

it("what the model refused with our loop is not sent again through the other harness", async ({ expect }) => {
  const thread = sdkThread();
  const model = await scriptModel(inject("modelUrl"), [say("Ours."), refuse("I cannot.")]);
  for (const text of ["And you?", "Forbidden words"]) {
    await (await thread.start(model.prompt(text), "anthropic")).handedOver();
  }
  const [prompt] = await promptsIn(await (await thread.start("[replay:two-turns] Hello")).handedOver());
  expect(prompt).toMatch(/The answer: Ours\..*\[A turn is left out here, because the model refused it/s);
  expect(prompt).not.toContain("Forbidden words");
});

it("what the model refused with the agent SDK is not sent again through our loop", async ({ expect }) => {
  const thread = sdkThread();
  const model = await scriptModel(inject("modelUrl"), [say("Ours.")]);
  const theirs = await (await thread.start("[replay:two-turns] Hello")).handedOver();
  const refused = await (await thread.start("What did I say?")).handedOver();
  // No recording ends by a refusal: this is how the session keeps one.
  await runInDurableObject(sessionOf(theirs), (_, { storage }) =>
    storage.sql.exec(
      "UPDATE block SET body = json_set(body, '$.isRefused', json('true')) WHERE role = 'assistant' AND run_id = ?",
      theOnly(refused, "run_start").runId,
    ),
  );
  await (await thread.start(model.prompt("And you?"), "anthropic")).handedOver();
  const [asked] = (await model.requests()).map(({ body }) => JSON.stringify(Object(body).messages));
  expect(asked).toContain("The answer: Hello there.");
  expect(asked).not.toContain("What did I say?");
});

it("what was said before our conversation went on as plain text is told once", async ({ expect }) => {
  const thread = sdkThread();
  const refused = fail(400, "invalid_request_error", "messages.1: something nobody thought of");
  const model = await scriptModel(inject("modelUrl"), [say("Ours."), refused, say("Ours again.")]);
  await (await thread.start(model.prompt("First words"), "anthropic")).handedOver();
  const second = await (await thread.start(model.prompt("Second words"), "anthropic")).handedOver();
  expect(kinds(second)).toContain("context_reset");
  const [prompt] = await promptsIn(await (await thread.start("[replay:two-turns] Hello")).handedOver());
  expect(prompt?.match(/First words|Second words|Ours\.|Ours again\./g)).toEqual([
    ...["First words", "Ours.", "Second words", "Ours again."],
  ]);
});

it("what the person said to a running turn of ours is told to the other harness", async ({ expect }) => {
  const thread = sdkThread();
  const model = await scriptModel(inject("modelUrl"), [holdBefore(callTool("list-stocks", {})), say("Ours.")]);
  const ours = await thread.start(model.prompt("Look at AAPL"), "anthropic");
  await model.reaches(1, "held");
  await askAsDeveloper("POST", `/_framework/runs/${ours.runId}/messages`, { text: "No, at MSFT" });
  await model.release();
  await ours.handedOver();
  const [prompt] = await promptsIn(await (await thread.start("[replay:two-turns] Hello")).handedOver());
  expect(prompt).toMatch(/The person: .*Look at AAPL.*No, at MSFT\nThe answer: Ours\./s);
});

it("what is said with the other harness while turns wait is told by the first of them, and by no other", async ({
  expect,
}) => {
  // The session grants a turn by its alarm, which rings when the end of the turn before is known.
  shiftedClock().forward(HOUR_MS);
  const thread = sdkThread();
  const model = await scriptModel(inject("modelUrl"), [callTool("add-stock", { symbol: "MSFT" }), say("Ours.")]);
  const ours = await thread.start(model.prompt("And you?"), "anthropic");
  const queue = sessionOf(await ours.eventsUntil("permission_request"));
  const [first, second] = [await thread.start("[replay:two-turns] Hello"), await thread.start("What did I say?")];
  await ours.decideNext(0, "reject");
  for (const { runId } of [ours, first]) {
    await endListed(runId);
    await runDurableObjectAlarm(queue);
  }
  const prompts = await promptsIn(await second.handedOver());
  expect(prompts).toEqual([expect.stringContaining("The answer: Ours."), expect.not.stringContaining("Ours.")]);
});

it("two harnesses at the same instant run one after the other", async ({ expect }) => {
  const thread = sdkThread();
  const model = await scriptModel(inject("modelUrl"), [say("Ours.")]);
  const runs = await Promise.all([
    thread.start("[replay:two-turns] Hello"),
    thread.start(model.prompt("And you?"), "anthropic"),
  ]);
  const both = await Promise.all(runs.map((run) => run.events()));
  for (const events of both) expectWhole(events, "completed");
  const startOf = (events: readonly ReceivedEvent[]) => Date.parse(theOnly(events, "run_start").at);
  const [first = [], second = []] = both.sort((one, other) => startOf(one) - startOf(other));
  expect(startOf(second)).toBeGreaterThanOrEqual(Date.parse(theOnly(first, "run_end").at));
});

it("a run that was dropped as out of reach is refused when it comes back, also by the harness that holds no queue", async ({
  expect,
}) => {
  const thread = await threadOf("agent-sdk", "adds");
  const model = await scriptModel(inject("modelUrl"), [say("One."), say("Two.")]);
  const first = await (await thread.start(model.prompt("First"), "anthropic")).handedOver();
  const lost = await thread.begin();
  await lost.eventsUntil("permission_request");
  const next = await thread.start(model.prompt("Second"), "anthropic");
  // As the thread's first session does with a head that it has not reached for a quarter of an hour.
  await sessionOf(first).finish(lost.runId, undefined, undefined);
  expectWhole(await next.events(), "completed");
  await lost.decideNext(0, "allow_once");
  const events = await lost.events();
  expectWhole(events, "failed");
  expect(theOnly(events, "run_end").error).toMatchObject({ code: "worker_restarted" });
  expect(await thread.stocks()).toBe(0);
});

it("an action that a rule covers runs while the SDK's turn is open, and is one call that ends once", async ({
  expect,
}) => {
  const thread = await threadOf("agent-sdk", "adds");
  const model = await scriptModel(inject("modelUrl"), [callTool("add-stock", { symbol: "MSFT" }), say("Added.")]);
  const ours = await thread.start(model.prompt("Add MSFT"), "anthropic");
  await ours.decideNext(0, "allow_always");
  await ours.events();
  const events = await (await thread.begin()).handedOver();
  expectWhole(events, "completed");
  expect(kinds(events)).not.toContain("run_status");
  expect(theOnly(events, "permission_reply")).toMatchObject({ decision: "allow_always", by: "rule" });
  expect(theOnly(events, "tool_end")).toMatchObject({ toolCallId: "1-0", status: "completed" });
  expect(ofType(events, "message_end").at(-1)).toMatchObject({ text: "Added." });
  // The answer of one that is asked comes as a message of its own.
  expect(await promptsIn(events)).toEqual([expect.stringContaining("Add AAPL")]);
});

it("a rule that a person makes with the second harness is the thread's", async ({ expect }) => {
  const thread = sdkThread();
  const model = await scriptModel(inject("modelUrl"), [say("Ours.")]);
  await (await thread.start(model.prompt("Hello"), "anthropic")).events();
  const run = await thread.start("[replay:commands] Run them");
  const { seq } = await run.decideNext(0, "allow_once");
  const second = await run.decideNext(seq, "allow_always");
  await run.decideNext(second.seq, "reject");
  const events = await run.events();
  expectWhole(events, "completed");
  expect(ofType(events, "tool_end").map(({ status }) => status)).toEqual(["completed", "failed", "denied"]);
  expect(await askAsDeveloper("GET", `/_framework/threads/${thread.threadId}/rules`)).toMatchObject({
    body: { rules: [{ label: 'running "exit 3" in the workspace in this chat' }] },
  });
});
