/** Questions, plans and to-dos with the agent SDK: our own tools, served by its host, and our gate (decision 0169). */
import { it } from "vitest";
import { askAsDeveloper } from "../../support/workerd/ask-as-developer.ts";
import { type CrashPoint, died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { sdkThread } from "../../support/workerd/sdk-thread.ts";

const questioned = async () => {
  const thread = sdkThread();
  const run = await thread.start("[replay:asks-user] Add what I like");
  const request = theOnly(await run.eventsUntil("run_status"), "question_request");
  const path = `/_framework/runs/${run.runId}/questions/${request.requestId}`;
  return { thread, run, request, answer: (body: object) => askAsDeveloper("POST", path, body) };
};

it("asks the person, who answers while nothing runs, and shows its to-dos", async ({ expect }) => {
  const { run, request, answer } = await questioned();
  expect(request.questions).toMatchObject([{ question: "Which exchange?" }]);
  expect(await answer({ answers: [["Nasdaq"]] })).toMatchObject({ status: 200 });
  const events = await run.events();
  expectWhole(events, "completed");
  expect(theOnly(events, "todos").items).toEqual([{ text: "Ask", state: "doing" }]);
  const ends = ofType(events, "tool_end");
  expect(ends.map(({ status }) => status)).toEqual(["completed", "completed"]);
  expect(ends[1]?.output).toContain("Nasdaq");
  expect(ofType(events, "message_end").at(-1)?.text).toBe("Nasdaq it is.");
});

it.for<CrashPoint>(["before endCall", "after endCall", "before openMessage", "after closeMessage"])(
  "uses the answer once when the object dies %s",
  async (point, { expect }) => {
    const { thread, run, answer } = await questioned();
    planCrashes(thread.threadId, [point]);
    await answer({ answers: [["Nasdaq"]] });
    const events = await run.events();
    await died(thread.threadId);
    expectWhole(events, "completed");
    expect(ofType(events, "question_reply")).toHaveLength(1);
  },
);

it.for<CrashPoint>(["before askQuestions", "after askQuestions"])(
  "asks once when the object dies %s",
  async (point, { expect }) => {
    const thread = sdkThread();
    planCrashes(thread.threadId, [point]);
    const run = await thread.start("[replay:asks-user] Add what I like");
    await died(thread.threadId);
    const request = theOnly(await run.eventsUntil("run_status"), "question_request");
    const path = `/_framework/runs/${run.runId}/questions/${request.requestId}`;
    await askAsDeveloper("POST", path, { answers: [["Nasdaq"]] });
    const events = await run.events();
    expectWhole(events, "completed");
    expect(ofType(events, "question_request")).toHaveLength(1);
    expect(theOnly(events, "question_reply").answers).toEqual([["Nasdaq"]]);
  },
);

it.for([
  ["commands", ["denied", "denied", "denied"]],
  ["stock-asked", ["denied"]],
] as const)("asks nobody in plan mode and refuses what changes something: %s", async ([name, statuses], { expect }) => {
  const run = await sdkThread().start(`[replay:${name}] Do it`, "agent-sdk", { mode: "plan" });
  const events = await run.events();
  expect(ofType(events, "permission_request")).toEqual([]);
  expect(ofType(events, "tool_end").map(({ status }) => status)).toEqual(statuses);
  expect(ofType(events, "tool_end").at(-1)?.output).toContain("plan mode");
});

it("refuses what changes something until its plan is accepted, and asks for it all the same", async ({ expect }) => {
  const run = await sdkThread().start("[replay:plans] Plan it", "agent-sdk", { mode: "plan" });
  const plan = theOnly(await run.eventsUntil("run_status"), "plan_proposed");
  expect(plan.markdown).toBe("1. Write new.txt");
  const decision = { decision: "allow_once" };
  await askAsDeveloper("POST", `/_framework/runs/${run.runId}/permissions/${plan.requestId}`, decision);
  const asked = await run.decideNext(plan.seq, "allow_once");
  expect(asked).toMatchObject({ tool: "Write", subject: { type: "edit", path: "new.txt" } });
  const events = await run.events();
  expectWhole(events, "completed");
  expect(ofType(events, "tool_end").map(({ status }) => status)).toEqual(["denied", "completed", "completed"]);
  expect(ofType(events, "tool_end")[0]?.output).toContain("plan mode");
});
