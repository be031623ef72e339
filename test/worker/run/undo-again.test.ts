/** Undoing a run that was undone, or half of it: cut off by a crash, asked for twice, at once, or by others (api.md §10). */
import { env, runInDurableObject } from "cloudflare:test";
import { describe, inject, it, type TestContext } from "vitest";
import { Ledger } from "../../../src/run/store/ledger.ts";
import { callTool, say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { type CrashPoint, died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { fetchAs } from "../../support/workerd/fetch-as.ts";
import { inOneMinute, overRate } from "../../support/workerd/over-rate.ts";
import { somebody } from "../../support/workerd/somebody.ts";
import { personWithRun, postUndo } from "../../support/workerd/undo-client.ts";

const FORTY = Array.from({ length: 40 }, (_, nth) => ({ symbol: `S${nth + 10}`, quantity: "1" }));

/** A run that added 40 stocks: twice what one transaction undoes. */
const personWithForty = async (threadId?: string) => {
  const person = await personWithRun();
  const runId = await person.run([callTool("add-stock", { items: FORTY }), say("Added.")], threadId);
  return { ...person, runId };
};

const statesOf = ({ stocks }: { readonly stocks: readonly { readonly state: string }[] }): string[] => [
  ...new Set(stocks.map(({ state }) => state)),
];

describe("an undo of 40 stocks", () => {
  it("undoes them all, and a second one finds them done", async ({ expect }) => {
    const { undo, list, trash } = await personWithForty();
    const first = await undo();
    expect([first.stocks.length, statesOf(first), await list()]).toEqual([40, ["done"], []]);
    expect(await undo()).toEqual(first);
    expect(await undo({ dryRun: true })).toEqual(first);
    expect((await trash()).map(({ version }) => version)).toEqual(FORTY.map(() => 2));
  });

  it("undoes each once when it is asked for twice at once", async ({ expect }) => {
    const { undo, trash } = await personWithForty();
    const [one, other] = await Promise.all([undo(), undo()]);
    expect(statesOf(one)).toEqual(["done"]);
    expect(other).toEqual(one);
    expect((await trash()).map(({ version }) => version)).toEqual(FORTY.map(() => 2));
  });

  it("undoes what the person was shown, and nothing else", async ({ expect }) => {
    const { undo, list } = await personWithForty();
    const shown = (await undo({ dryRun: true })).stocks.slice(0, 2);
    const answer = await undo({ only: { stocks: shown.map(({ id }) => id), files: [] } });
    expect(answer.stocks.filter(({ state }) => state === "done").map(({ id }) => id)).toEqual(
      shown.map(({ id }) => id),
    );
    expect(await list()).toHaveLength(38);
  });

  it.for<readonly CrashPoint[]>([
    ["before undo"],
    ["after undo"],
    ["after undo", "before undo"],
    ["after undo", "after undo"],
  ])("cut off %s, goes on from its plan when it is asked again", async (points, { expect }) => {
    const threadId = `undo of 40 ${points.join()}`;
    const { post, undo, trash, runId } = await personWithForty(threadId);
    planCrashes(threadId, points);
    // The Worker asks a second time where the object dies under its first call.
    const cut = await post();
    const done = await undo();
    await died(threadId);
    expect([200, 503]).toContain(cut.status);
    expect([done.stocks.length, statesOf(done)]).toEqual([40, ["done"]]);
    expect((await trash()).map(({ version }) => version)).toEqual(FORTY.map(() => 2));
    const plan = await runInDurableObject(env.RUNS.getByName(runId), (_, ctx) =>
      ctx.storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM planned_undo").one(),
    );
    expect(plan).toEqual({ n: 40 });
  });

  it("cut off, goes on only with what the person is shown when it is asked again", async ({ expect }) => {
    const threadId = "undo cut off and narrowed";
    const { post, undo, list } = await personWithForty(threadId);
    const ids = (await undo({ dryRun: true })).stocks.map(({ id }) => id);
    planCrashes(threadId, ["after undo", "before undo"]);
    await post({ only: { stocks: ids.slice(0, 30), files: [] } });
    await died(threadId);
    const answer = await undo({ only: { stocks: ids.slice(30, 31), files: [] } });
    const done = answer.stocks.filter(({ state }) => state === "done").map(({ id }) => id);
    expect(done).toEqual([...ids.slice(0, 20), ...ids.slice(30, 31)]);
    expect(await list()).toHaveLength(19);
    expect(statesOf(await undo())).toEqual(["done"]);
  });

  it("leaves alone what was changed while it was cut off", async ({ expect }) => {
    const threadId = "undo cut off and changed";
    const { post, undo, act, list } = await personWithForty(threadId);
    planCrashes(threadId, ["before undo", "before undo"]);
    await post();
    await died(threadId);
    const [first] = await list();
    await act("update-stock", { id: String(first?.id), set: { notes: "Mine now" } });
    const answer = await undo();
    expect(answer.stocks.filter(({ state }) => state !== "done")).toMatchObject([{ id: first?.id, reason: "changed" }]);
    expect(await list()).toMatchObject([{ id: first?.id, notes: "Mine now" }]);
  });
});

describe("an undo is refused", () => {
  it("while the run goes on", async ({ expect }) => {
    const client = somebody();
    const model = await scriptModel(inject("modelUrl"), [callTool("add-stock", { symbol: "AAPL" }), say("Added.")]);
    const { runId, events } = await client.startTurn("t", model.prompt("Add AAPL"));
    await client.eventsUntil(events, "permission_request");
    expect(await postUndo(client, runId, { dryRun: true })).toEqual({
      ...{ status: 409, body: { error: "The run has not ended." } },
    });
  });

  it("to strangers, who change nothing", async ({ expect }) => {
    const { runId, list } = await personWithForty();
    expect(await postUndo(somebody(), runId)).toEqual({ status: 404, body: { error: "Run not found." } });
    expect(await list()).toHaveLength(40);
  });

  it("for a body that may mean something else", async ({ expect }) => {
    const { runId, client, list } = await personWithForty();
    const post = async (body: unknown) => (await client.post(`/_framework/runs/${runId}/undo`, body)).json();
    expect(await post({ dryrun: true })).toEqual({ error: "dryrun: unknown field, leave it out" });
    expect(await post({ dryRun: "yes" })).toEqual({ error: "dryRun: use true or false" });
    expect(await post({ only: { stock: [] } })).toEqual({ error: "only.stock: unknown field, leave it out" });
    const names = "use the ids and paths of a preview, at most 10,000";
    expect(await post({ only: { stocks: [5] } })).toEqual({ error: `only.stocks: ${names}` });
    expect(await post([])).toEqual({ error: "body: send a JSON object." });
    expect(await list()).toHaveLength(40);
  });

  it(
    "over the rate limit, after everything else",
    inOneMinute(async ({ expect }: TestContext) => {
      const { runId, client, trash } = await personWithForty();
      // Rates are limited on a deployed Worker, and not on loopback.
      const post = (id: string, dryRun = false) =>
        fetchAs(client.email, `/_framework/runs/${id}/undo`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ dryRun }),
        });
      await overRate(env.ACTION_RATE, client.email, () => post(runId, true));
      expect((await post(crypto.randomUUID())).status).toBe(404);
      expect((await post(runId)).status).toBe(429);
      expect(await trash()).toEqual([]);
    }),
  );

  it("once the run's log has expired", async ({ expect }) => {
    const { runId, post } = await personWithForty();
    await runInDurableObject(env.RUNS.getByName(runId), async (_, ctx) => {
      new Ledger(ctx.storage, Date.now).purgeLog(Date.now());
      await ctx.storage.sync();
      ctx.abort("Killed.");
    }).catch(() => undefined);
    expect(await post()).toEqual({ status: 410, body: { error: "What this run changed can no longer be undone." } });
  });
});
