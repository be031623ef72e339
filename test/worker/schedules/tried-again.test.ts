/** An occurrence that was tried and not settled: it is tried again for as long as it cannot have started. */
import { env } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import { dayOf } from "../../../src/contract/day.ts";
import { startDue } from "../../../src/schedule/start-due.ts";
import { heldClock } from "../../support/workerd/held-clock.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { dueSchedule, MINUTE_MS, runsOf, schedulesOf } from "../../support/workerd/schedules-client.ts";
import { somebody } from "../../support/workerd/somebody.ts";

nothingDue();

// No midnight comes between what uses up a day's budget and the start that it refuses.
beforeEach(() => void heldClock(Date.now() + 60 * MINUTE_MS));

/** Longer than the key of a start is kept. */
const PAUSE_MS = 25 * 60 * MINUTE_MS;

/** Tries what is due while the day's budget is used up: each is refused with 429. */
const startDueOverBudget = async (nowMs: number): Promise<void> => {
  // Other files of the process may have spent something today.
  const spent = env.DB.prepare("INSERT OR REPLACE INTO day_costs VALUES (?, '', '', 1000000000000)");
  await spent.bind(dayOf(Date.now())).run();
  await startDue({ ...env, AGENT_DAY_BUDGET_USD: "1" }, nowMs);
  await env.DB.prepare("DELETE FROM day_costs WHERE owner_hash = ''").run();
};

it("over a day's budget it is tried for half an hour, then the schedule says so", async () => {
  const person = somebody();
  await dueSchedule(person);
  await startDueOverBudget(Date.now());
  expect(await runsOf(person.email)).toEqual([]);
  expect(await schedulesOf(person)).toMatchObject([{ state: "active", lastDueAt: null }]);
  await env.DB.prepare("UPDATE schedules SET claims = 5, claimed_until_ms = 0").run();
  await startDueOverBudget(Date.now());
  expect(await schedulesOf(person)).toMatchObject([{ reason: "Today's budget is used up.", lastRunId: null }]);
});

it("one that was refused is started, once, after a pause of more than a day", async () => {
  const person = somebody();
  await dueSchedule(person);
  const nowMs = Date.now();
  await startDueOverBudget(nowMs);
  await startDue({ ...env, SCHEDULES_PAUSED: "true" }, nowMs + PAUSE_MS);
  expect(await runsOf(person.email)).toEqual([]);
  await startDue(env, nowMs + PAUSE_MS);
  await startDue(env, nowMs + PAUSE_MS + 5 * MINUTE_MS);
  expect(await runsOf(person.email)).toHaveLength(1);
  expect(await schedulesOf(person)).toMatchObject([{ reason: null }]);
});

type RunStub = ReturnType<typeof env.RUNS.getByName>;

/** Objects of runs that start, and whose answers are lost. */
const SILENT = new Proxy(env.RUNS, {
  get: (runs, name) =>
    name === "getByName"
      ? (id: string) => ({
          start: async (...given: Parameters<RunStub["start"]>) => {
            await runs.getByName(id).start(...given);
            throw new Error("Gone.");
          },
        })
      : Reflect.get(runs, name),
});

const crash = (step: string): Promise<void> =>
  step === "move on" ? Promise.reject(new Error("crash")) : Promise.resolve();

it.each([
  ["before a crash", (nowMs: number) => startDue(env, nowMs, crash)],
  ["in an object that did not answer", (nowMs: number) => startDue({ ...env, RUNS: SILENT }, nowMs)],
])("one that may have started too long ago, %s, is not tried again", async (_, start) => {
  const person = somebody();
  await dueSchedule(person);
  const nowMs = Date.now();
  await start(nowMs);
  await env.DB.prepare("DELETE FROM idempotency_keys WHERE owner_email = ?").bind(person.email).run();
  await startDue(env, nowMs + PAUSE_MS);
  expect(await runsOf(person.email)).toHaveLength(1);
  expect(await schedulesOf(person)).toMatchObject([{ reason: "It could not be started in time." }]);
});
