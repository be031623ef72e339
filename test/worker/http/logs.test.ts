/** What is logged: one line of JSON for each request and each transition of a run, and nobody's words in them. */
import { inject, it } from "vitest";
import { ownerHash } from "../../../src/contract/digest.ts";
import { callTool, say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { captureLog } from "../../support/workerd/captured-log.ts";
import { fetchAs } from "../../support/workerd/fetch-as.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { somebody } from "../../support/workerd/somebody.ts";
import { aPerson } from "../../support/workerd/stocks-client.ts";

it("says of a request who asked, for which route, and how it was answered", async ({ expect }) => {
  const { email } = aPerson();
  const log = captureLog();
  const response = await fetchAs(email, "/_framework/threads/a%20secret%20plan/runs?cursor=");
  const requestId = response.headers.get("X-Request-Id");
  expect(await log.wait({ requestId })).toEqual([
    {
      ...{ level: "info", message: "request", requestId, method: "GET" },
      ...{ route: "/_framework/threads/:thread_id/runs", status: 404, ms: expect.any(Number) },
      owner: await ownerHash(email),
    },
  ]);
  expect(log.text()).not.toMatch(/secret|example\.com/);
});

it("says of nobody's request, and of one for no route, that much", async ({ expect }) => {
  const log = captureLog();
  for (const [path, line] of [
    ["/_framework/session", { status: 401, route: "/_framework/session" }],
    ["/_framework/nowhere?token=private", { status: 404, route: null }],
  ] as const) {
    const requestId = (await fetchAs(null, path)).headers.get("X-Request-Id");
    const [logged] = await log.wait({ message: "request", requestId });
    expect(logged).toMatchObject(line);
    expect(logged).not.toHaveProperty("owner");
  }
  expect(log.text()).not.toMatch(/nowhere|private/);
});

it("is silent about health checks that succeed", async ({ expect }) => {
  const log = captureLog();
  await fetchAs(null, "/_framework/health");
  await fetchAs(null, "/_framework/health", { method: "PUT" });
  await log.wait({ message: "request", route: "/_framework/health", status: 405 });
  expect(log.lines({ message: "request", route: "/_framework/health" })).toHaveLength(1);
});

it("follows a run from its request through every status to its end", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [callTool("add-stock", { symbol: "AAPL" }), say("Done.")]);
  const client = somebody();
  const log = captureLog();
  const { runId, events } = await client.startTurn("my diary", model.prompt("Dear diary"));
  const request = theOnly(await client.eventsUntil(events, "run_status"), "permission_request");
  await client.decide(runId, request.requestId, { decision: "allow_once" });
  await client.events(events);
  await log.wait({ message: "run", runId, status: "completed" });
  const owner = await ownerHash(client.email);
  expect(log.lines({ message: "run", runId }).map(({ status }) => status)).toEqual([
    ...["queued", "running", "waiting_permission", "running", "completed"],
  ]);
  expect(log.lines({ message: "run", runId }).at(-1)).toEqual({
    ...{ level: "info", message: "run", runId, owner, status: "completed", attempt: 1, ms: expect.any(Number) },
  });
  await log.wait({ message: "request", runId, route: "/api/agent/turn", status: 200 });
  await log.wait({ message: "request", runId, route: "/_framework/runs/:run_id/events", status: 200 });
  await log.wait({ message: "request", runId, route: "/_framework/runs/:run_id/permissions/:request_id" });
  expect(log.text()).not.toMatch(/diary|AAPL|test-key/);
  expect(log.text()).not.toContain(client.email);
});

it("names the code of a run that failed", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), []);
  const client = somebody();
  const log = captureLog();
  const { runId, events } = await client.startTurn("t", model.prompt("Hello"));
  await client.events(events);
  expect(await log.wait({ message: "run", runId, status: "failed" })).toMatchObject([{ code: expect.any(String) }]);
});
