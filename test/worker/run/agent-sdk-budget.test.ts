/** A run's budget with the agent SDK, which calls its model by itself: it stops behind the call that passes it (decision 0184). */
import { inject, it } from "vitest";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { kinds } from "../../support/workerd/run-client.ts";
import { planVariables } from "../../support/workerd/run-variables.ts";
import { saidIn, sdkThread } from "../../support/workerd/sdk-thread.ts";

/** A turn whose first model call costs about a dollar, as does the next one by our reckoning. */
const dearTurn = async (limitUsd: string) => {
  const thread = sdkThread();
  const { url, token } = inject("harnessHost");
  planVariables(thread.threadId, { WORKSPACE_URL: url, WORKSPACE_TOKEN: token, AGENT_RUN_BUDGET_USD: limitUsd });
  return await thread.start("[replay:over-budget] Read it");
};

const STOPPED = ["run_start", "user_message", "message_start", "message_end", "tool_start", "tool_end"];

it("is asked for where the SDK stopped, and the turn goes on with as much again", async ({ expect }) => {
  const run = await dearTurn("1.2");
  const asked = await run.decideNext(0, "allow_once");
  expect(asked).toMatchObject({ tool: "budget", toolCallId: "budget-1", subject: { type: "budget", limitUsd: "1.2" } });
  const events = await run.handedOver();
  expectWhole(events, "completed");
  expect(kinds(events)).toEqual([
    ...[...STOPPED, "permission_request", "run_status", "permission_reply", "run_status"],
    ...["message_start", "text_delta", "message_end", "run_end"],
  ]);
  expect(theOnly(events, "tool_end").status).toBe("aborted");
  const budgets = (await saidIn(events)).map(({ budgetUsd }) => budgetUsd);
  expect(budgets).toEqual([1.2, expect.closeTo(1.4, 3)]);
});

it("ends the run where a person refuses more", async ({ expect }) => {
  const run = await dearTurn("1.2");
  await run.decideNext(0, "reject");
  const events = await run.events();
  expectWhole(events, "incomplete");
  expect(theOnly(events, "run_end")).toMatchObject({ stopReason: "budget", error: null });
});

it("is not asked for where the SDK's prices are higher than ours: the turn goes on", async ({ expect }) => {
  const events = await (await dearTurn("5")).events();
  expectWhole(events, "completed");
  expect(ofType(events, "permission_request")).toEqual([]);
});
