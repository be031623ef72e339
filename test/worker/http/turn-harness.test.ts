/** The harness of new turns, as `AGENT_HARNESS` sets it (api.md §1). */
import { it } from "vitest";
import { askWith } from "../../support/workerd/ask-as-developer.ts";
import { captureLog } from "../../support/workerd/captured-log.ts";

const TURN = { threadId: "harness", prompt: "Hello" };

const startWith = (variables: Readonly<Record<string, string>>) =>
  askWith({ DEMO_MODEL: "true", ANTHROPIC_API_KEY: "", ...variables }, "POST", "/api/agent/turn", TURN);

it("a name that nobody knows starts no turn, and the log says why", async ({ expect }) => {
  const log = captureLog();
  const name = "antropic";
  const message = "AGENT_HARNESS: There is no such harness.";
  const error = "AGENT_HARNESS names no harness that can run here.";
  expect(await startWith({ AGENT_HARNESS: name })).toEqual({ status: 503, body: { error } });
  expect(log.lines({ level: "error", message })).toMatchObject([
    { value: name, harnesses: ["anthropic", "agent-sdk"] },
  ]);
  expect(await askWith({}, "GET", "/_framework/threads/harness/runs")).toMatchObject({ status: 404 });
});

it.for([
  ["anthropic", "anthropic"],
  [" anthropic ", "anthropic"],
  ["", "anthropic"],
  ["agent-sdk", "agent-sdk"],
])("%j starts one", async ([name = "", harness], { expect }) => {
  const { status, body } = await startWith({ AGENT_HARNESS: name });
  expect([status, await askWith({}, "GET", `/_framework/runs/${Object(body).runId}`)]).toMatchObject([
    200,
    { body: { harness } },
  ]);
});
