/** What is due starts once, whatever the cron does; what must not start does not. */
import { env, runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { requestDeletion } from "../../../src/auth/sign-in-rows.ts";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { reportScheduledEnd } from "../../../src/db/schedules/due-schedules.ts";
import { startDue } from "../../../src/schedule/start-due.ts";
import { SearchObject } from "../../../src/search/search-object.ts";
import { aroundMethod } from "../../support/around-method.ts";
import { callTool, say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import {
  aSchedule,
  dueSchedule,
  MINUTE_MS,
  makeDue,
  runsOf,
  schedulesOf,
  thisMinute,
} from "../../support/workerd/schedules-client.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";

nothingDue();

const theSchedule = async (person: Somebody) => (await schedulesOf(person))[0];

describe("an occurrence", () => {
  it("starts a run in a chat of its own, and the next one is set", async () => {
    const person = somebody();
    const { id, dueAtMs } = await dueSchedule(person, { cron: "*/15 * * * *" });
    const nowMs = Date.now();
    await startDue(env, nowMs);
    const [runId = ""] = await runsOf(person.email);
    await person.follow(`/_framework/runs/${runId}/events`);
    expect(await person.view(runId)).toMatchObject({ threadId: `schedule-${id}`, status: "completed" });
    const after = await theSchedule(person);
    expect(after).toMatchObject({ lastRunId: runId, state: "active", reason: null });
    expect(after?.lastDueAt).toBe(new Date(dueAtMs).toISOString());
    expect(Date.parse(after?.nextAt ?? "")).toBeGreaterThan(nowMs);
  });

  it("waits while the list of who may sign in names nobody", async () => {
    const person = somebody();
    await dueSchedule(person);
    await startDue({ ...env, ALLOWED_EMAILS: "" }, Date.now());
    expect(await theSchedule(person)).toMatchObject({ state: "active", lastRunId: null });
    await startDue(env, Date.now());
    expect(await runsOf(person.email)).toHaveLength(1);
  });

  it("of one that is wanted once is the last", async () => {
    const person = somebody();
    await dueSchedule(person, { cron: undefined, once: "2099-01-01T00:00" });
    await startDue(env, Date.now());
    expect(await theSchedule(person)).toMatchObject({ state: "done", nextAt: null });
    await startDue(env, Date.now() + 10 * MINUTE_MS);
    expect(await runsOf(person.email)).toHaveLength(1);
  });

  it("continues a chat where one is named", async () => {
    const person = somebody();
    await dueSchedule(person, { threadId: "mine" });
    await startDue(env, Date.now());
    const [runId = ""] = await runsOf(person.email);
    expect(await person.view(runId)).toMatchObject({ threadId: "mine" });
  });

  it("that is days late starts once, and what was missed does not", async () => {
    const person = somebody();
    const { id } = await aSchedule(person, { cron: "*/15 * * * *" });
    await makeDue(id, thisMinute() - 3 * 24 * 60 * MINUTE_MS);
    const nowMs = Date.now();
    for (let time = 0; time < 5; time += 1) await startDue(env, nowMs);
    expect(await runsOf(person.email)).toHaveLength(1);
  });

  it("starts once when the cron fires twice, late and in parallel", async () => {
    const person = somebody();
    await dueSchedule(person);
    const nowMs = Date.now();
    const late = [nowMs, nowMs, nowMs + MINUTE_MS, nowMs + 5 * MINUTE_MS];
    await Promise.all(late.map((ms) => startDue(env, ms)));
    for (const ms of late) await startDue(env, ms);
    expect(await runsOf(person.email)).toHaveLength(1);
  });

  it.each(["start", "move on"] as const)("is started once after a crash before the step %s", async (crashed) => {
    const person = somebody();
    await dueSchedule(person);
    const nowMs = Date.now();
    const crash = (step: string) => (step === crashed ? Promise.reject(new Error("crash")) : Promise.resolve());
    await startDue(env, nowMs, crash);
    await startDue(env, nowMs + 30_000);
    await startDue(env, nowMs + 2 * MINUTE_MS);
    const runs = await runsOf(person.email);
    expect(runs).toHaveLength(1);
    expect(await theSchedule(person)).toMatchObject({ lastRunId: runs[0], state: "active" });
  });

  it("asks for what the chat's rules allow while somebody is there", async () => {
    const person = somebody();
    const add = (symbol: string) => callTool("add-stock", { symbol });
    const model = await scriptModel(inject("modelUrl"), [add("AAPL"), say("Added."), add("MSFT"), say("Added.")]);
    const { runId: first, events } = await person.startTurn("mine", model.prompt("Add it"));
    await person.eventsUntil(events, "permission_request");
    const [pending] = (await person.view(first)).pendingPermissions;
    const { requestId } = z.object({ requestId: z.string() }).parse(pending);
    await person.decide(first, requestId, { decision: "allow_always" });
    await person.follow(events);
    await dueSchedule(person, { threadId: "mine", prompt: model.prompt("Add it") });
    await startDue(env, Date.now());
    const runId = (await runsOf(person.email)).find((id) => id !== first) ?? "";
    await person.eventsUntil(`/_framework/runs/${runId}/events`, "permission_request");
    // Nor can a rule be made of the answer: it would cover nothing that starts by itself.
    const options = [{ decision: "allow_once" }, { decision: "reject" }];
    expect(await person.view(runId)).toMatchObject({ status: "waiting_permission", pendingPermissions: [{ options }] });
    await person.followAllowing(runId);
  });

  it("is left out at a second try too while the run before is not over", async () => {
    const person = somebody();
    const model = await scriptModel(inject("modelUrl"), [callTool("add-stock", { symbol: "AAPL" }), say("Added.")]);
    const { id } = await dueSchedule(person, { prompt: model.prompt("Add it") });
    await startDue(env, Date.now());
    const [runId = ""] = await runsOf(person.email);
    await person.eventsUntil(`/_framework/runs/${runId}/events`, "permission_request");
    await makeDue(id, thisMinute());
    await startDue(env, Date.now(), (step) =>
      step === "start" ? Promise.reject(new Error("crash")) : Promise.resolve(),
    );
    await startDue(env, Date.now() + 10 * MINUTE_MS);
    expect(await runsOf(person.email)).toEqual([runId]);
    await person.followAllowing(runId);
  });

  it("is left out, and says so, while the run before is not over", async () => {
    const person = somebody();
    const model = await scriptModel(inject("modelUrl"), [callTool("add-stock", { symbol: "AAPL" }), say("Added.")]);
    const { id } = await dueSchedule(person, { prompt: model.prompt("Add it") });
    await startDue(env, Date.now());
    const [runId = ""] = await runsOf(person.email);
    await person.eventsUntil(`/_framework/runs/${runId}/events`, "permission_request");
    await makeDue(id, thisMinute());
    await startDue(env, Date.now());
    expect(await runsOf(person.email)).toEqual([runId]);
    expect(await theSchedule(person)).toMatchObject({
      reason: "The previous run was still going, so this one was skipped.",
      state: "active",
      lastRunId: runId,
    });
    await person.followAllowing(runId);
    await makeDue(id, thisMinute() + 1);
    await startDue(env, Date.now() + MINUTE_MS);
    expect(await runsOf(person.email)).toHaveLength(2);
    expect(await theSchedule(person)).toMatchObject({ reason: null });
  });
});

describe("nothing is started", () => {
  it.each(["SCHEDULES_PAUSED", "AGENT_PAUSED"])("while %s is set, and nothing is lost", async (name) => {
    const person = somebody();
    await dueSchedule(person);
    await startDue({ ...env, [name]: "true" }, Date.now());
    expect(await runsOf(person.email)).toEqual([]);
    await startDue(env, Date.now());
    expect(await runsOf(person.email)).toHaveLength(1);
  });

  it("for an account that is being deleted, also when that begins after the claim", async () => {
    const [early, late] = [somebody(), somebody()];
    await dueSchedule(early);
    const { id } = await dueSchedule(late);
    const close = ({ email }: Somebody) => requestDeletion(openDb(env.DB), OwnerEmail.parse(email), Date.now());
    await close(early);
    await startDue(env, Date.now(), async (step, scheduleId) => {
      if (step === "start" && scheduleId === id) await close(late);
    });
    expect([await runsOf(early.email), await runsOf(late.email)]).toEqual([[], []]);
    await env.DB.prepare("DELETE FROM account_deletions").run();
  });

  it("for a schedule that is deleted after the claim", async () => {
    const person = somebody();
    const { id } = await dueSchedule(person);
    await startDue(env, Date.now(), async () => {
      await person.action("delete-schedule", { id });
    });
    expect(await runsOf(person.email)).toEqual([]);
  });

  it("for people who are not allowed any more; their schedules are paused", async () => {
    const person = somebody();
    await dueSchedule(person);
    await startDue({ ...env, ALLOWED_EMAILS: "ann@example.com" }, Date.now());
    expect(await runsOf(person.email)).toEqual([]);
    expect(await theSchedule(person)).toMatchObject({
      ...{ state: "paused", nextAt: null, reason: "This account may not use the agent here." },
    });
  });
});

describe("requests that nobody answers", () => {
  const endWith = async (person: Somebody, replies: readonly { by: string; decision: string }[]) => {
    const [schedule] = await schedulesOf(person);
    const lastAnswer = replies.findLastIndex(({ by }) => by !== "system");
    const end = {
      scheduleId: schedule?.id ?? "",
      runId: crypto.randomUUID(),
      expiredInARow: replies.length - lastAnswer - 1,
      wasAnswered: lastAnswer >= 0,
    };
    await reportScheduledEnd(openDb(env.DB), end);
    await reportScheduledEnd(openDb(env.DB), end);
  };
  const expired = { by: "system", decision: "expired" };
  const answered = { by: "user", decision: "reject" };

  it("pause the schedule when they are five in a row", async () => {
    const person = somebody();
    await aSchedule(person);
    await endWith(person, [expired, expired, expired]);
    await endWith(person, [expired, answered, expired]);
    await endWith(person, [expired, expired, expired]);
    expect(await theSchedule(person)).toMatchObject({ state: "active" });
    await endWith(person, []);
    await endWith(person, [expired]);
    expect(await theSchedule(person)).toMatchObject({
      ...{ state: "paused", nextAt: null },
      reason: "5 requests in a row were not answered. Start the schedule again to continue.",
    });
  });
});

it("a run is counted last, when nothing that is sent again could count it twice", async () => {
  const person = somebody();
  await dueSchedule(person);
  let [isAway, puts] = [true, 0];
  aroundMethod(SearchObject.prototype, "put", (_, __, call) => {
    puts += 1;
    if (isAway) throw new Error("The search is away.");
    return call();
  });
  await startDue(env, Date.now());
  const [runId = ""] = await runsOf(person.email);
  await person.follow(`/_framework/runs/${runId}/events`);
  await expect.poll(() => puts).toBeGreaterThan(0);
  const counted = () =>
    env.DB.prepare("SELECT reported_run_id FROM schedules WHERE owner_email = ?")
      .bind(person.email)
      .first("reported_run_id");
  expect(await counted()).toBeNull();
  isAway = false;
  await runDurableObjectAlarm(env.RUNS.getByName(runId));
  await expect.poll(counted).toBe(runId);
});

it("drains ten thousand that are due in the same minute in order, 300 a minute", { timeout: 120_000 }, async () => {
  const dueAtMs = thisMinute() - MINUTE_MS;
  // Schedules of nobody who is allowed: each is settled without a run.
  await env.DB.prepare(
    `WITH RECURSIVE nth(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM nth WHERE n < 9999)
     INSERT INTO schedules (id, owner_email, thread_id, prompt, cron, time_zone, state, due_at_ms, claimed_until_ms,
       claimed_at_ms, claims, expired_in_a_row, created_at_ms)
     SELECT printf('00000000-0000-7000-8000-%012d', n), printf('p%05d@example.org', n), 't', 'p', '0 0 1 1 *', 'UTC', 'active',
       ?1, 0, 0, 0, 0, 0 FROM nth`,
  )
    .bind(dueAtMs)
    .run();
  const limited = { ...env, ALLOWED_EMAILS: "ann@example.com" };
  const settled = async () => {
    const { results } = await env.DB.prepare("SELECT id FROM schedules WHERE state = 'paused' ORDER BY id").all<{
      id: string;
    }>();
    return results.map(({ id }) => Number(id.slice(-12)));
  };
  const range = (length: number) => Array.from({ length }, (_, n) => n);
  await Promise.all([startDue(limited, dueAtMs + MINUTE_MS), startDue(limited, dueAtMs + MINUTE_MS)]);
  expect(await settled()).toEqual(range(300));
  await startDue(limited, dueAtMs + 2 * MINUTE_MS);
  expect(await settled()).toEqual(range(600));
  for (let minute = 3; minute <= 34; minute += 1) await startDue(limited, dueAtMs + minute * MINUTE_MS);
  expect(await settled()).toEqual(range(10_000));
});
