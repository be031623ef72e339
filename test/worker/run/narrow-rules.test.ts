/** A standing rule allows what its label says and nothing else: no deletion, few deletes a run, nothing of the app itself (api.md §7). */
import { env } from "cloudflare:workers";
import { describe, inject, it } from "vitest";
import { OwnerEmail, RequestId } from "../../../src/contract/ids.ts";
import type { PermissionSubject } from "../../../src/contract/permission.ts";
import { type GateWorld, gateOf } from "../../../src/run/drive/turn-world.ts";
import { StoredSession } from "../../../src/session/stored-session.ts";
import { aroundMethod } from "../../support/around-method.ts";
import { callTool, callTools, say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { handedOver } from "../../support/workerd/handed-over.ts";
import { ofType } from "../../support/workerd/of-type.ts";
import { turnOnFiles } from "../../support/workerd/person-with-files.ts";
import type { ReceivedEvent } from "../../support/workerd/run-client.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";

/** Follows a run to its end. The first question is answered for always, where that is offered, and all others once. */
const allowAlwaysThenOnce = async (client: Somebody, { runId, events }: { runId: string; events: string }) => {
  let asked: Extract<ReceivedEvent, { type: "permission_request" }> | undefined;
  let answers = 0;
  return await client.followWith(events, async (event) => {
    if (event.type === "permission_request") asked = event;
    if (event.type !== "run_status" || event.status !== "waiting_permission" || asked === undefined) return;
    const isFirst = answers === 0 && asked.options.some(({ decision }) => decision === "allow_always");
    answers += 1;
    await client.decide(runId, asked.requestId, { decision: isFirst ? "allow_always" : "allow_once" });
  });
};

const decidersOf = (events: readonly ReceivedEvent[]) => ofType(events, "permission_reply").map(({ by }) => by);

/** The decisions that each request of a run offered. */
const offersOf = (events: readonly ReceivedEvent[]) =>
  ofType(events, "permission_request").map(({ options }) => options.map(({ decision }) => decision));

const WITH_RULE = ["allow_once", "allow_always", "reject"];
const WITHOUT_RULE = ["allow_once", "reject"];

it("a rule for edits below a directory covers no deletion there, and none is offered for one", async ({ expect }) => {
  const { client, turn, files } = await turnOnFiles({ "src/a.ts": "1\n", "src/b.ts": "2\n", "src/c.ts": "3\n" }, [
    callTools([
      { name: "edit_file", input: { path: "src/a.ts", oldText: "1", newText: "2" } },
      { name: "write_file", input: { path: "src/b.ts", content: "3\n" } },
      { name: "delete_file", input: { path: "src/c.ts" } },
    ]),
    say("Done."),
  ]);
  const events = await allowAlwaysThenOnce(client, turn);
  expect(decidersOf(events)).toEqual(["user", "rule", "user"]);
  expect(offersOf(events)).toEqual([WITH_RULE, WITH_RULE, WITHOUT_RULE]);
  expect(await files()).toEqual(["src/a.ts", "src/b.ts"]);
});

/** A new person with this many stocks, and one message that deletes them one by one. */
const deletions = async (count: number) => {
  const client = somebody();
  const symbols = Array.from({ length: count }, (_, nth) => `S${nth}`);
  const added = await Promise.all(symbols.map((symbol) => client.action("add-stock", { symbol })));
  const calls = added.map((answer) => ({ name: "delete-stock", input: { id: Object(answer).stock.id } }));
  return { client, calls };
};

describe("a rule for delete-stock", () => {
  it("covers three calls a run, even if the run dies between them, and then asks without offering it", async ({
    expect,
  }) => {
    const { client, calls } = await deletions(6);
    const model = await scriptModel(inject("modelUrl"), [callTools(calls), say("Done.")]);
    planCrashes("delete all", ["after allowByRule", "before markStarted"]);
    const events = await allowAlwaysThenOnce(client, await client.startTurn("delete all", model.prompt("Delete all")));
    await died("delete all");
    expect(decidersOf(events)).toEqual(["user", "rule", "rule", "rule", "user", "user"]);
    expect(offersOf(events)).toEqual([WITH_RULE, WITH_RULE, WITH_RULE, WITH_RULE, WITHOUT_RULE, WITHOUT_RULE]);
    expect(await client.action("list-stocks", {})).toMatchObject({ total: 0 });
  });

  it("says so in its words, and covers three again in the next run", async ({ expect }) => {
    const { client, calls } = await deletions(5);
    const model = await scriptModel(inject("modelUrl"), [callTools(calls.slice(0, 1)), say("Done.")]);
    const first = await allowAlwaysThenOnce(client, await client.startTurn("t", model.prompt("Delete one")));
    expect(ofType(first, "permission_request")[0]?.options[1]?.label).toBe(
      "Always allow deleting stocks in this chat, up to three per run",
    );
    await model.add([callTools(calls.slice(1)), say("Done.")]);
    const second = await allowAlwaysThenOnce(client, await client.startTurn("t", model.prompt("Delete the others")));
    expect(decidersOf(second)).toEqual(["rule", "rule", "rule", "user"]);
  });
});

describe("a rule for edits that was made before", () => {
  const edit = (path: string): PermissionSubject => ({ type: "edit", path, diff: "+x" });

  /** The gate of a run whose thread has a rule for edits below `work`. */
  const gateWith = async (variables: Partial<GateWorld["env"]>) => {
    const client = somebody();
    const model = await scriptModel(inject("modelUrl"), [callTool("list-stocks", {}), say("Hi.")]);
    await client.runToEnd("t", model.prompt("Hi"));
    const { sessionId } = await client.view((await client.startTurn("t", model.prompt("Hi"))).runId);
    const scope = { type: "edit", dir: "work" } as const;
    const rule = { ruleId: RequestId.parse(crypto.randomUUID()), scope, label: "edits below work", createdAtMs: 1 };
    await env.SESSIONS.getByName(sessionId).addRule(rule);
    return gateOf(
      { sessionId, ownerEmail: OwnerEmail.parse(client.email), workspaceDir: ".", permissionMode: "allow-reads" },
      {
        env: { ...env, WORKSPACE_URL: "http://127.0.0.1:1", WORKSPACE_TOKEN: "secret", ...variables },
        requests: { countByRule: () => 0, hasAcceptedPlan: () => false, speakers: () => [] },
        deliver: async () => {},
      },
    );
  };

  it("covers nothing below the source of the app that runs, and no other is offered", async ({ expect }) => {
    const gate = await gateWith({ OWN_SOURCE_DIR: "work/tally" });
    const paths = ["work/a.ts", "work/tally2/a.ts", "work/tally/src/a.ts", "work/Tally/src/a.ts", "work/tally"];
    expect(await Promise.all(paths.map((path) => gate.isCovered(edit(path))))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(paths.map((path) => gate.mayBecomeRule(edit(path)))).toEqual([true, true, false, false, false]);
  });

  it("covers nothing where the whole workspace is that source", async ({ expect }) => {
    const gate = await gateWith({ OWN_SOURCE_DIR: "." });
    expect([await gate.isCovered(edit("work/a.ts")), gate.mayBecomeRule(edit("work/a.ts"))]).toEqual([false, false]);
  });

  it("covers what it says for somebody whose files are in durable storage", async ({ expect }) => {
    const gate = await gateWith({ OWN_SOURCE_DIR: ".", WORKSPACE_OWNER: "somebody-else@example.com" });
    expect([await gate.isCovered(edit("work/a.ts")), gate.mayBecomeRule(edit("work/a.ts"))]).toEqual([true, true]);
  });
});

it("a rule is revoked though the first answer is lost", async ({ expect }) => {
  const thread = crypto.randomUUID();
  const { client, turn } = await turnOnFiles(
    { "src/a.ts": "1\n" },
    [callTool("edit_file", { path: "src/a.ts", oldText: "1", newText: "2" }), say("Done.")],
    thread,
  );
  await handedOver(await allowAlwaysThenOnce(client, turn));
  const path = `${client.threadPath(thread)}/rules`;
  const { rules } = Object((await client.ask("GET", path)).body);
  const revoke = () => client.ask("DELETE", `${path}/${rules[0].ruleId}`);
  // As it is repeated.
  aroundMethod(StoredSession.prototype, "removeRule", async (_, __, call) => {
    await call();
    return await call();
  });
  expect(await revoke()).toMatchObject({ status: 200, body: { ok: true } });
  expect(await revoke()).toMatchObject({ status: 404 });
  expect((await client.ask("GET", path)).body).toEqual({ rules: [] });
});

it("a rule is listed as soon as its answer counts", async ({ expect }) => {
  const thread = crypto.randomUUID();
  const { client, turn } = await turnOnFiles(
    { "src/a.ts": "1\n" },
    [callTool("edit_file", { path: "src/a.ts", oldText: "1", newText: "2" }), say("Done.")],
    thread,
  );
  // It comes to the session after everybody has been told of the answer.
  const { promise: isTold, resolve: setTold } = Promise.withResolvers<void>();
  aroundMethod(StoredSession.prototype, "addRule", async (_, __, call) => {
    await isTold;
    return call();
  });
  const events = await client.eventsUntil(turn.events, "permission_request");
  const [{ requestId = "" } = {}] = ofType(events, "permission_request");
  void client.eventsUntil(turn.events, "permission_reply").then(() => setTold());
  await client.decide(turn.runId, requestId, { decision: "allow_always" });
  expect((await client.ask("GET", `${client.threadPath(thread)}/rules`)).body).toMatchObject({
    rules: [{ label: expect.any(String) }],
  });
});
