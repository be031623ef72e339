/** An undo changes stocks like anything else, so it counts for the day's limit (api.md §10): it is refused before it begins, and never in between. */
import { env, runInDurableObject } from "cloudflare:test";
import { it } from "vitest";
import { Ledger } from "../../../src/run/store/ledger.ts";
import { itemOf, UndoPlan } from "../../../src/undo/undo-plan.ts";
import { callTool, say } from "../../support/model-script.ts";
import { countedOf, DAY_LIMIT, leaveBytes } from "../../support/workerd/day-changes.ts";
import { heldClock } from "../../support/workerd/held-clock.ts";
import { personWithRun } from "../../support/workerd/undo-client.ts";

const FORTY = Array.from({ length: 40 }, (_, nth) => ({ symbol: `S${nth + 10}` }));

/** A run that added 40 stocks: twice what one transaction undoes. */
const personWithForty = async () => {
  const person = await personWithRun();
  const runId = await person.run([callTool("add-stock", { items: FORTY }), say("Added.")]);
  // The run has ended by a clock that goes; from here on no midnight comes.
  heldClock(Date.now() + 3_600_000);
  return { ...person, runId };
};

const REFUSED = {
  status: 429,
  body: {
    error: "Today's changes come to 100 MB, the limit. It starts again at midnight UTC. Try again later.",
  },
};

it("nothing of it is done, or promised, once the limit is reached", async ({ expect }) => {
  const { client, post, undo, list } = await personWithForty();
  await leaveBytes(client.email, 100);
  expect(await post()).toEqual(REFUSED);
  expect(await list()).toHaveLength(40);
  const preview = await undo({ dryRun: true });
  expect(preview.stocks.map(({ state }) => state)).toEqual(FORTY.map(() => "restore"));
  // Had all 40 been planned, they would be undone along with this one.
  await leaveBytes(client.email, 10_000);
  const [one] = preview.stocks;
  await undo({ only: { stocks: [String(one?.id)], files: [] } });
  expect(await list()).toHaveLength(39);
});

it("one that fits only in part is done whole, and counted", async ({ expect }) => {
  const { client, undo, list } = await personWithForty();
  await leaveBytes(client.email, 5_000);
  await undo();
  expect(await list()).toEqual([]);
  expect((await countedOf(client.email)).bytes).toBeGreaterThan(DAY_LIMIT);
});

it("one that was cut off goes on, whatever else has been changed since", async ({ expect }) => {
  const { client, runId, undo, list } = await personWithForty();
  const { stocks } = await undo({ dryRun: true });
  // As far as a request comes that dies before its first change.
  await runInDurableObject(env.RUNS.getByName(runId), async (_, ctx) => {
    const plan = new UndoPlan(new Ledger(ctx.storage, Date.now).tables);
    plan.add(
      stocks.map(({ id, symbol, effect }) => ({ item: itemOf("stock", id), kind: "stock", label: symbol, effect })),
    );
    await ctx.storage.sync();
    ctx.abort("Killed.");
  }).catch(() => undefined);
  await leaveBytes(client.email, 0);
  const answer = await undo();
  expect(answer.stocks.map(({ state }) => state)).toEqual(FORTY.map(() => "done"));
  expect(await list()).toEqual([]);
});
