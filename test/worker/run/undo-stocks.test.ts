/** Undoing what a run did to stocks (api.md §10): each back to what it was before the run, if it still is what the run made it. */
import { env } from "cloudflare:test";
import { describe, it } from "vitest";
import { callTool, callTools, say } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { tradingDay } from "../../support/price-server/trading-day.ts";
import { personWithRun, postUndo, runAndUndo } from "../../support/workerd/undo-client.ts";
import { withSplit } from "../../support/workerd/with-split.ts";

const TAKEN_BACK = { day: tradingDay(1), answer: "undo" } as const;

const addApple = callTool("add-stock", { symbol: "AAPL", exchange: "XNAS", quantity: "3" });

describe("undoing a run", () => {
  it("puts what it added into the trash", async ({ expect }) => {
    const { run, undo, trash, list } = await personWithRun();
    await run([callTool("add-stock", { symbol: "AAPL", quantity: "10" }), say("Added.")]);
    const [added] = await list();
    const item = { id: added?.id, symbol: "AAPL", effect: "remove", reason: null };
    expect(await undo({ dryRun: true })).toEqual({
      ...{ stocks: [{ ...item, state: "restore" }], files: [], commands: 0, schedules: 0 },
    });
    expect(await list()).toEqual([added]);
    expect(await undo({})).toMatchObject({ stocks: [{ ...item, state: "done" }] });
    expect(await list()).toEqual([]);
    expect(await trash()).toMatchObject([{ id: added?.id, version: 2, updatedVia: "screen" }]);
  });

  it("gives fields their former values back, as a change of the person's own that names the run", async ({
    expect,
  }) => {
    const { run, undo, list, act, add } = await personWithRun();
    const before = await add({ symbol: "AAPL", quantity: "10", avgCost: "180", tags: ["core"], lastPrice: "190" });
    const set = { quantity: "12", avgCost: null, tags: [], notes: "Bought more", lastPrice: "5", targetLow: "1" };
    const runId = await run([
      callTool("update-stock", { id: before.id, set: { ...set, quantity: null } }),
      say("Done."),
    ]);
    expect(await undo({})).toMatchObject({ stocks: [{ id: before.id, state: "done", effect: "change_back" }] });
    const [after] = await list();
    expect(after).toEqual({ ...before, version: 3, updatedAt: after?.updatedAt });
    const { events } = await act("get-stock", { id: before.id });
    expect(events.map(({ version, via, runId, undoesRunId }) => [version, via, runId, undoesRunId])).toEqual([
      [3, "screen", null, runId],
      [2, "agent", runId, undefined],
      [1, "screen", null, undefined],
    ]);
  });

  it("restores what it deleted, with the values that the run had changed before", async ({ expect }) => {
    const { run, undo, list, add } = await personWithRun();
    const { id } = await add({ symbol: "AAPL", quantity: "10" });
    await run([
      callTool("update-stock", { id, set: { quantity: "12", notes: "n" } }),
      callTool("update-stock", { id, set: { quantity: "13" } }),
      callTool("delete-stock", { id }),
      say("Deleted."),
    ]);
    expect(await list()).toEqual([]);
    expect(await undo({})).toMatchObject({ stocks: [{ id, state: "done", effect: "bring_back" }] });
    expect(await list()).toMatchObject([{ id, quantity: "10", notes: null, version: 5 }]);
  });

  it("tells of targets again that it had cleared", async ({ expect }) => {
    const { run, undo, list, act, add } = await personWithRun();
    const { id } = await add({ symbol: "AAPL", targetLow: "150" });
    await act("update-stock", { id, set: { notify: true } });
    await run([callTool("update-stock", { id, set: { targetLow: null } }), say("Cleared.")]);
    expect(await list()).toMatchObject([{ targetLow: null, notify: false }]);
    await undo({});
    expect(await list()).toMatchObject([{ targetLow: "150", notify: true }]);
  });

  it("leaves alone what the run itself had taken back", async ({ expect }) => {
    const { run, undo, add, act } = await personWithRun();
    const { id } = await add({ symbol: "AAPL", quantity: "10" });
    await run([
      callTool("update-stock", { id, set: { quantity: "12" } }),
      callTool("update-stock", { id, set: { quantity: "10" } }),
      say("Never mind."),
    ]);
    expect(await undo({ dryRun: true })).toMatchObject({ stocks: [] });
    await act("delete-stock", { id });
    await run([callTool("update-stock", { id, restore: true }), callTool("delete-stock", { id }), say("No.")]);
    expect(await undo({ dryRun: true })).toMatchObject({ stocks: [] });
  });

  it("puts a stock back that came out of the trash with new values", async ({ expect }) => {
    const { run, undo, add, act, list, trash } = await personWithRun();
    const { id } = await add({ symbol: "AAPL", quantity: "10", notes: "old" });
    await act("delete-stock", { id });
    await run([callTool("add-stock", { symbol: "AAPL", quantity: "3" }), say("Added.")]);
    expect(await undo({})).toMatchObject({ stocks: [{ id, state: "done", effect: "remove" }] });
    expect(await list()).toEqual([]);
    expect(await trash()).toMatchObject([{ id, quantity: "10", notes: "old" }]);
  });

  it("puts a stock back that came out of the trash and was deleted again", async ({ expect }) => {
    const { run, undo, add, act, list, trash } = await personWithRun();
    const { id } = await add({ symbol: "AAPL", quantity: "10", notes: "old" });
    await act("delete-stock", { id });
    await run([callTool("add-stock", { symbol: "AAPL", quantity: "5" }), callTool("delete-stock", { id }), say("No.")]);
    const [before] = await trash();
    expect(await undo({})).toMatchObject({ stocks: [{ id, state: "done", effect: "remove" }] });
    expect(await list()).toEqual([]);
    expect(await trash()).toMatchObject([{ id, quantity: "10", notes: "old", deletedAt: before?.deletedAt }]);
  });

  it("gives symbols back in the reverse order in which they were taken", async ({ expect }) => {
    const { run, undo, add, list } = await personWithRun();
    const [one, two] = [await add({ symbol: "AAA" }), await add({ symbol: "BBB" })];
    await run([
      callTool("update-stock", { id: two.id, set: { symbol: "CCC" } }),
      callTool("update-stock", { id: one.id, set: { symbol: "BBB" } }),
      callTool("add-stock", { symbol: "AAA" }),
      say("Renamed."),
    ]);
    const { stocks } = await undo({});
    expect(stocks.map(({ state }) => state)).toEqual(["done", "done", "done"]);
    expect((await list()).map(({ id, symbol }) => [id, symbol])).toEqual([
      [one.id, "AAA"],
      [two.id, "BBB"],
    ]);
  });

  it("takes runs back one after the other, the newest first", async ({ expect }) => {
    const { client, run, add, list } = await personWithRun();
    const before = await add({ symbol: "AAPL", quantity: "10" });
    const runTo = (quantity: string) =>
      run([callTool("update-stock", { id: before.id, set: { quantity } }), say("Done.")]);
    const [one, two, three] = [await runTo("11"), await runTo("12"), await runTo("13")];
    const undone = async (runId: string) => (await postUndo(client, runId)).body;
    const conflict = { stocks: [{ state: "conflict", reason: "changed" }] };
    const done = { stocks: [{ state: "done", reason: null }] };
    expect(await undone(two)).toMatchObject(conflict);
    expect(await undone(three)).toMatchObject(done);
    expect(await undone(one)).toMatchObject(conflict);
    expect(await undone(two)).toMatchObject(done);
    expect(await undone(one)).toMatchObject(done);
    const [after] = await list();
    expect(after).toEqual({ ...before, version: 7, updatedAt: after?.updatedAt });
  });

  it("lets a split wait again that it had answered", async ({ expect }) => {
    const { run, undo, add, list } = await personWithRun();
    const { id } = await add({ symbol: "AAPL", quantity: "10", avgCost: "100" });
    const split = { day: "2026-06-10", numerator: 10, denominator: 1 };
    await env.DB.prepare("UPDATE stocks SET pending_split = ? WHERE id = ?").bind(JSON.stringify(split), id).run();
    await run([callTool("update-stock", { id, split: { day: split.day, answer: "apply" } }), say("Applied.")]);
    expect(await list()).toMatchObject([{ quantity: "100", avgCost: "10", pendingSplit: null }]);
    expect(await undo({})).toMatchObject({ stocks: [{ id, state: "done" }] });
    expect(await list()).toMatchObject([{ quantity: "10", avgCost: "100", pendingSplit: split }]);
    const splitDay = await env.DB.prepare("SELECT split_day FROM stocks WHERE id = ?").bind(id).first("split_day");
    expect(splitDay).toBe("2026-06-09");
  });

  it("lets a split wait again whose stock follows another key by then", async ({ expect }) => {
    const { ask, email, id, list, room, wake } = await withSplit("eodhd");
    const split = { day: tradingDay(1), answer: "apply" };
    await runAndUndo(email, [callTool("update-stock", { id, split }), say("Applied.")], async () => {
      // Its source has no list of splits.
      await ask("PUT", "/_framework/settings/quotes-key", { source: "twelvedata", key: room.key });
      await wake();
      expect(await list()).toMatchObject([{ quantity: "250", instrument: { source: "twelvedata" } }]);
    });
    await list();
    expect(await list()).toMatchObject([{ quantity: "25", lastPrice: "190.5", pendingSplit: { day: split.day } }]);
  });

  it.for<readonly [string, (id: string) => Reply[]]>([
    ["whose listing it had changed", (id) => [callTool("update-stock", { id, set: { exchange: "XETR" } })]],
    ["whose answer it had taken back", (id) => [callTool("update-stock", { id, split: TAKEN_BACK })]],
    ["that it had deleted and added again", (id) => [callTool("delete-stock", { id }), addApple]],
  ])("asks of no split a second time that was in a stock %s", async ([, replies], { expect }) => {
    const { act, email, id, stock, wake, list } = await withSplit("eodhd");
    await act("update-stock", { id, split: { day: stock?.pendingSplit?.day ?? "", answer: "apply" } });
    await runAndUndo(email, [...replies(id), say("Done.")]);
    await wake();
    await list();
    expect(await list()).toMatchObject([
      { id, exchange: "XNAS", quantity: "250", pendingSplit: null, lastPrice: "19.1" },
    ]);
  });

  it("puts a stock back into the trash as it came out, with the splits that were in it", async ({ expect }) => {
    const { act, email, id, stock, wake, list } = await withSplit("eodhd");
    await act("update-stock", { id, split: { day: stock?.pendingSplit?.day ?? "", answer: "apply" } });
    await act("delete-stock", { id });
    await runAndUndo(email, [addApple, say("Added.")]);
    await act("update-stock", { id, restore: true });
    await wake();
    await list();
    expect(await list()).toMatchObject([{ id, quantity: "250", pendingSplit: null, lastPrice: "19.1" }]);
  });

  it("counts what cannot be undone: schedules here, and not what was refused", async ({ expect }) => {
    const { run, undo } = await personWithRun();
    await run([
      callTools([{ name: "create-schedule", input: { prompt: "p", cron: "0 8 * * 1", timeZone: "UTC" } }]),
      callTool("add-stock", { symbol: "no symbol at all!" }),
      say("Done."),
    ]);
    expect(await undo({})).toEqual({ stocks: [], files: [], commands: 0, schedules: 1 });
  });
});

describe("a stock that is not what the run made it any more", () => {
  it("is a conflict after somebody has changed it, and is left alone", async ({ expect }) => {
    const { run, undo, add, act, list } = await personWithRun();
    const [one, two] = [await add({ symbol: "AAA" }), await add({ symbol: "BBB", notes: "mine" })];
    const set = { notes: "the agent's" };
    await run([
      callTool("update-stock", { id: one.id, set }),
      callTool("update-stock", { id: two.id, set }),
      say("Noted."),
    ]);
    await act("update-stock", { id: one.id, set: { quantity: "1" } });
    const states = [
      { id: two.id, state: "done", reason: null },
      { id: one.id, state: "conflict", reason: "changed" },
    ];
    expect(await undo({})).toMatchObject({ stocks: states });
    expect(await list()).toMatchObject([
      { notes: "the agent's", quantity: "1", version: 3 },
      { notes: "mine", version: 3 },
    ]);
    expect(await undo({})).toMatchObject({ stocks: states });
  });

  it("is a conflict where somebody has changed it between a later run and that run's undo", async ({ expect }) => {
    const { client, run, undo, add, act, list } = await personWithRun();
    const { id } = await add({ symbol: "AAPL", quantity: "10" });
    const runTo = (quantity: string) => run([callTool("update-stock", { id, set: { quantity } }), say("Done.")]);
    const one = await runTo("11");
    await runTo("12");
    await undo({});
    await act("update-stock", { id, set: { notes: "mine" } });
    await runTo("13");
    await undo({});
    expect((await postUndo(client, one)).body).toMatchObject({ stocks: [{ state: "conflict", reason: "changed" }] });
    expect(await list()).toMatchObject([{ quantity: "11", notes: "mine", version: 7 }]);
  });

  it("is a conflict where another stock has its symbol by now", async ({ expect }) => {
    const { run, undo, add, act, list } = await personWithRun();
    const { id } = await add({ symbol: "AAPL" });
    await run([callTool("delete-stock", { id }), say("Deleted.")]);
    const other = await add({ symbol: "BBB" });
    await act("update-stock", { id: other.id, set: { symbol: "AAPL" } });
    expect(await undo({})).toMatchObject({ stocks: [{ id, state: "conflict", reason: "taken" }] });
    expect((await list()).map((stock) => stock.id)).toEqual([other.id]);
  });

  it("is gone once the trash was emptied, and keeps the symbol that the run knew", async ({ expect }) => {
    const { run, undo, add } = await personWithRun();
    const { id } = await add({ symbol: "AAPL" });
    await run([callTool("delete-stock", { ids: [id] }), say("Deleted.")]);
    await env.DB.prepare("DELETE FROM stocks WHERE id = ?").bind(id).run();
    expect(await undo({})).toMatchObject({ stocks: [{ id, symbol: "AAPL", state: "gone", reason: "purged" }] });
  });
});
