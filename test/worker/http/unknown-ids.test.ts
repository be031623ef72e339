/** Ids that are unknown, no ids at all, or somebody else's: one answer for all three, and nothing is made for them (api.md §1). */
import { env, runInDurableObject } from "cloudflare:test";
import { describe, inject, it } from "vitest";
import { callTool, say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { handedOver } from "../../support/workerd/handed-over.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const UNKNOWN = "0b8d5f0e-3c55-4d8e-9a63-0d1f6f6f2c11";
const RUN_NOT_FOUND = { status: 404, body: { error: "Run not found." } };
const REQUEST_NOT_FOUND = { status: 404, body: { error: "Permission request not found." } };
const THREAD_NOT_FOUND = { status: 404, body: { error: "Thread not found." } };
const RULE_NOT_FOUND = { status: 404, body: { error: "Rule not found." } };

/** Somebody's run that waits for an answer. */
const askedRun = async () => {
  const model = await scriptModel(inject("modelUrl"), [callTool("add-stock", { symbol: "AAPL" }), say("Done.")]);
  const client = somebody();
  const turn = await client.startTurn("t", model.prompt("Add AAPL"));
  const events = await client.eventsUntil(turn.events, "run_status");
  return { client, runId: turn.runId, requestId: theOnly(events, "permission_request").requestId };
};

const RUN_CALLS = [
  ["GET", "", undefined],
  ["GET", "/events", undefined],
  ["GET", "/events?after=3", undefined],
  ["GET", "/prompt", undefined],
  ["POST", "/abort", undefined],
  ["POST", "/undo", undefined],
  ["GET", "/permissions/<request>", undefined],
  ["POST", "/permissions/<request>", { decision: "allow_once" }],
] as const;

const NO_UUIDS = [
  "x",
  "0",
  `${UNKNOWN}0`,
  UNKNOWN.replaceAll("-", ""),
  `%20${UNKNOWN}`,
  "%F0%9F%92%A5",
  "..%2F..",
  "%",
];

describe("a run", () => {
  it.for(RUN_CALLS)(
    "is 404 to %s .../<run>%s when it is unknown, no UUID, or somebody else's",
    async ([method, route, body], { expect }) => {
      const { runId, requestId, client } = await askedRun();
      const stranger = somebody();
      const path = (id: string) => `/_framework/runs/${id}${route.replace("<request>", requestId)}`;
      expect(await stranger.ask(method, path(UNKNOWN), body)).toEqual(RUN_NOT_FOUND);
      expect(await stranger.ask(method, path("no-uuid"), body)).toEqual(RUN_NOT_FOUND);
      expect(await stranger.ask(method, path(runId), body)).toEqual(RUN_NOT_FOUND);
      expect(await client.view(runId)).toMatchObject({ status: "waiting_permission" });
    },
  );

  it.for(NO_UUIDS)("is 404 for the id %s", async (id, { expect }) => {
    expect(await somebody().ask("GET", `/_framework/runs/${id}`)).toEqual(RUN_NOT_FOUND);
  });

  it.for(RUN_CALLS)(
    "is not made by %s .../<run>%s of an unknown id (api.md §1)",
    async ([method, route, body], { expect }) => {
      const runId = crypto.randomUUID();
      const answer = await somebody().ask(
        method,
        `/_framework/runs/${runId}${route.replace("<request>", UNKNOWN)}`,
        body,
      );
      expect(answer).toEqual(RUN_NOT_FOUND);
      const stored = await runInDurableObject(env.RUNS.getByName(runId), async (_, { storage }) => ({
        tables: storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
        values: [...(await storage.list())],
        alarm: await storage.getAlarm(),
      }));
      expect(stored).toEqual({ tables: [], values: [], alarm: null });
    },
  );
});

describe("a permission request", () => {
  it.for(["GET", "POST"])("is 404 to %s when it is unknown or no UUID", async (method, { expect }) => {
    const { client, runId } = await askedRun();
    const path = `/_framework/runs/${runId}/permissions`;
    const body = { GET: undefined, POST: { decision: "reject" } }[method];
    expect(await client.ask(method, `${path}/${UNKNOWN}`, body)).toEqual(REQUEST_NOT_FOUND);
    expect(await client.ask(method, `${path}/no-uuid`, body)).toEqual(REQUEST_NOT_FOUND);
  });

  it.for(["GET", "POST"])("is 404 to %s on another run of the same person", async (method, { expect }) => {
    const { client, requestId } = await askedRun();
    const model = await scriptModel(inject("modelUrl"), [say("Hi.")]);
    const other = await client.startTurn("other", model.prompt("Hello"));
    const body = { GET: undefined, POST: { decision: "reject" } }[method];
    const path = `/_framework/runs/${other.runId}/permissions/${requestId}`;
    expect(await client.ask(method, path, body)).toEqual(REQUEST_NOT_FOUND);
  });
});

describe("a thread", () => {
  it.for([
    ["PATCH", "", { title: "Mine" }],
    ["DELETE", "", undefined],
    ["GET", "/runs", undefined],
    ["GET", "/rules", undefined],
    ["DELETE", `/rules/${UNKNOWN}`, undefined],
  ] as const)(
    "is 404 to %s .../<thread>%s when it is unknown, too long, or somebody else's",
    async ([method, route, body], { expect }) => {
      const { client, runId } = await askedRun();
      const stranger = somebody();
      expect(await stranger.ask(method, `${stranger.threadPath("unknown")}${route}`, body)).toEqual(THREAD_NOT_FOUND);
      expect(await stranger.ask(method, `${stranger.threadPath("t".repeat(201))}${route}`, body)).toEqual(
        THREAD_NOT_FOUND,
      );
      expect(await stranger.ask(method, `${stranger.threadPath("t")}${route}`, body)).toEqual(THREAD_NOT_FOUND);
      expect(await client.view(runId)).toMatchObject({ status: "waiting_permission" });
      expect(await stranger.ask("GET", "/_framework/threads")).toMatchObject({ body: { threads: [] } });
    },
  );
});

describe("a rule", () => {
  it("is 404 when it is unknown, no UUID, or another thread's (api.md §2)", async ({ expect }) => {
    const { client, runId, requestId } = await askedRun();
    await client.decide(runId, requestId, { decision: "allow_always" });
    // The session has the rule then, which the run hands over as well.
    await handedOver(await client.events(`/_framework/runs/${runId}/events`));
    const model = await scriptModel(inject("modelUrl"), [say("Hi.")]);
    await client.runToEnd("other", model.prompt("Hello"));
    expect(await client.ask("DELETE", `${client.threadPath("t")}/rules/${UNKNOWN}`)).toEqual(RULE_NOT_FOUND);
    expect(await client.ask("DELETE", `${client.threadPath("t")}/rules/no-uuid`)).toEqual(RULE_NOT_FOUND);
    expect(await client.ask("DELETE", `${client.threadPath("other")}/rules/${requestId}`)).toEqual(RULE_NOT_FOUND);
    expect(await client.ask("GET", `${client.threadPath("t")}/rules`)).toMatchObject({
      body: { rules: { length: 1 } },
    });
  });
});
