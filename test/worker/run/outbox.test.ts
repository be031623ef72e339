/** When rows of an outbox are due, by a clock that may be put back (RUN, Ending and handing over). */
import { env, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { ObjectTables } from "../../../src/objects/object-tables.ts";
import { Outbox } from "../../../src/run/store/outbox.ts";
import { aroundMethod } from "../../support/around-method.ts";

const START_MS = 1_700_000_000_000;
const HOUR_MS = 3_600_000;

/** An outbox on real storage with its own clock; `sent` are the receivers that were notified. */
const withOutbox = (work: (world: { outbox: Outbox; clock: { nowMs: number }; sent: string[] }) => Promise<void>) =>
  runInDurableObject(env.RUNS.getByName(crypto.randomUUID()), async (_, { storage }) => {
    const clock = { nowMs: START_MS };
    await work({ outbox: new Outbox(new ObjectTables(storage), () => clock.nowMs), clock, sent: [] });
    await storage.deleteAll();
  });

it("a new row is due although the clock is put back by an hour", () =>
  withOutbox(async ({ outbox, clock, sent }) => {
    outbox.add("session");
    clock.nowMs -= HOUR_MS;
    await outbox.deliver(async ({ receiver }) => void sent.push(receiver));
    expect(sent).toEqual(["session"]);
    expect(outbox.nextDueMs()).toBeUndefined();
  }));

it("a row that was tried is due again when the clock is put back behind all its pauses", () =>
  withOutbox(async ({ outbox, clock, sent }) => {
    outbox.add("index");
    await outbox.deliver(() => Promise.reject(new Error("Out of reach.")));
    expect(outbox.nextDueMs()).toBe(START_MS + 1_000);
    clock.nowMs -= HOUR_MS;
    expect(outbox.nextDueMs()).toBeLessThanOrEqual(clock.nowMs + 5 * 60_000);
    await outbox.deliver(async ({ receiver }) => void sent.push(receiver));
    expect(sent).toEqual(["index"]);
  }));

/** Counts the deletions so far. */
const countDeletions = (storage: DurableObjectStorage): (() => number) => {
  let count = 0;
  aroundMethod(Object.getPrototypeOf(storage.sql), "exec", (_, [sql], call) => {
    if (String(sql).startsWith("DELETE")) count += 1;
    return call();
  });
  return () => count;
};

it("the session's row is removed with that of D1's copy, and counts as delivered before", () =>
  runInDurableObject(env.RUNS.getByName(crypto.randomUUID()), async (_, { storage }) => {
    const outbox = new Outbox(new ObjectTables(storage), () => START_MS);
    outbox.add("session");
    outbox.add("index");
    const deletions = countDeletions(storage);
    const seen: unknown[] = [];
    await outbox.deliver(async ({ receiver }) => {
      seen.push([receiver, outbox.has("session"), outbox.nextDueMs() !== undefined, deletions()]);
    });
    expect(seen).toEqual([
      ["session", true, true, 0],
      ["index", false, true, 0],
    ]);
    expect([deletions(), outbox.nextDueMs()]).toEqual([2, undefined]);
    await storage.deleteAll();
  }));

it("a session that has answered is not sent its turn again because D1 did not", () =>
  runInDurableObject(env.RUNS.getByName(crypto.randomUUID()), async (_, { storage }) => {
    const outbox = new Outbox(new ObjectTables(storage), () => START_MS);
    outbox.add("session");
    outbox.add("index");
    await outbox.deliver(({ receiver }) =>
      receiver === "index" ? Promise.reject(new Error("D1.")) : Promise.resolve(),
    );
    const later = new Outbox(new ObjectTables(storage), () => START_MS);
    expect([later.has("session"), later.has("index")]).toEqual([false, true]);
    await storage.deleteAll();
  }));

it("a row that is added again while the answer to the first is not yet noted is sent", () =>
  withOutbox(async ({ outbox, sent }) => {
    outbox.add("session");
    outbox.add("index");
    await outbox.handOver(async ({ receiver }) => void sent.push(receiver));
    outbox.add("session");
    await outbox.deliver(async ({ receiver }) => void sent.push(receiver));
    expect(sent).toEqual(["session", "session", "index"]);
    expect(outbox.nextDueMs()).toBeUndefined();
  }));

it("a notice on its way is not due before its time is over, and soon after if that fails", () =>
  withOutbox(async ({ outbox, clock }) => {
    outbox.add("notice:request");
    const dueAtMs: (number | undefined)[] = [];
    await outbox.tell(async () => {
      await Promise.resolve();
      dueAtMs.push(outbox.nextDueMs());
    });
    expect(dueAtMs).toEqual([clock.nowMs + 30_000]);
    outbox.add("notice:end");
    await outbox.tell(() => Promise.reject(new Error("Out of reach.")));
    expect(outbox.nextDueMs()).toBe(clock.nowMs + 1_000);
  }));
