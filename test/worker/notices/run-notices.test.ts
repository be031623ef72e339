/** When a run tells its person something: only what nobody can be seeing. */
import { env, runInDurableObject } from "cloudflare:test";
import { expect, inject, it } from "vitest";
import { z } from "zod";
import { continueDeletion } from "../../../src/account/delete-account.ts";
import { exportRun } from "../../../src/account/export-run.ts";
import { requestDeletion } from "../../../src/auth/sign-in-rows.ts";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { sendDueNotices } from "../../../src/notice/send-due.ts";
import { startDue } from "../../../src/schedule/start-due.ts";
import { callTool, say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { countD1 } from "../../support/workerd/count-d1.ts";
import { fetchAs } from "../../support/workerd/fetch-as.ts";
import { emptyQueue, noticesTold } from "../../support/workerd/handed-over.ts";
import { heldClock } from "../../support/workerd/held-clock.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { inOneMinute, overRate } from "../../support/workerd/over-rate.ts";
import { aPhone } from "../../support/workerd/push-device.ts";
import { openStream } from "../../support/workerd/run-client.ts";
import { dueSchedule, runsOf } from "../../support/workerd/schedules-client.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";

nothingDue();

/** The run's object notices some time after a client's stream was cancelled that nobody watches: then it sets this alarm. */
const untilUnwatched = (runId: string): Promise<void> =>
  runInDurableObject(env.RUNS.getByName(runId), async (_, { storage }) => {
    await expect.poll(() => storage.getAlarm()).toBeLessThan(Date.now() + 10_000);
  });

/** A run that waits for a permission, with nobody watching. */
const aWaitingRun = async (person: Somebody) => {
  const model = await scriptModel(inject("modelUrl"), [callTool("add-stock", { symbol: "AAPL" }), say("Added.")]);
  const { runId, events } = await person.startTurn("t", model.prompt("Add it"));
  await person.eventsUntil(events, "run_status");
  const [pending] = (await person.view(runId)).pendingPermissions;
  const { requestId } = z.object({ requestId: z.string() }).parse(pending);
  await untilUnwatched(runId);
  return { runId, events, requestId };
};

/** Lets seconds pass for the run's object, and its alarm ring; what it tells then is sent afterwards. */
const later = async ({ clock, person }: World, runId: string, seconds: number) => {
  clock.forward(seconds * 1_000);
  await person.wake(runId);
  await noticesTold(runId);
};

const HOUR_MS = 3_600_000;

/** Somebody with a phone, and a clock, far enough ahead that no alarm rings by itself; called before the run's object is made. */
const aWorld = async () => {
  const clock = heldClock(Date.now() + HOUR_MS);
  const person = somebody();
  return { clock, person, phone: await aPhone(person) };
};

type World = Awaited<ReturnType<typeof aWorld>>;

const kindsOf = async (phone: { notices: () => Promise<{ kind: string }[]> }) =>
  (await phone.notices()).map(({ kind }) => kind);

it("a request that nobody watches is told after five seconds, once, and closed by an answer elsewhere", async () => {
  const world = await aWorld();
  const { person, phone } = world;
  const { runId, events, requestId } = await aWaitingRun(person);
  await later(world, runId, 3);
  expect(await kindsOf(phone)).toEqual([]);
  await later(world, runId, 8);
  expect(await kindsOf(phone)).toEqual(["permission"]);
  await later(world, runId, 60);
  expect(await phone.notices()).toMatchObject([{ kind: "permission", url: `/t/t#request-${requestId}` }]);
  await person.followAllowing(runId);
  await expect.poll(() => kindsOf(phone)).toEqual(["permission", "close"]);
  expect(theOnly(await person.events(events), "run_end").status).toBe("completed");
});

it("a question that nobody watches is told as one, and closed by its answer", async () => {
  const world = await aWorld();
  const { person, phone } = world;
  const questions = [{ question: "Which exchange?", options: [{ label: "Nasdaq" }, { label: "Xetra" }] }];
  const model = await scriptModel(inject("modelUrl"), [callTool("ask_user", { questions }), say("Nasdaq.")]);
  const { runId, events } = await person.startTurn("t", model.prompt("Ask me"));
  await person.eventsUntil(events, "run_status");
  const [pending] = (await person.view(runId)).pendingQuestions;
  const { requestId } = z.object({ requestId: z.string() }).parse(pending);
  await untilUnwatched(runId);
  await later(world, runId, 3);
  await later(world, runId, 8);
  expect(await kindsOf(phone)).toEqual(["question"]);
  expect(await phone.notices()).toMatchObject([
    { title: "The agent has a question for you", url: `/t/t#request-${requestId}` },
  ]);
  await person.ask("POST", `/_framework/runs/${runId}/questions/${requestId}`, { answers: [["Nasdaq"]] });
  await expect.poll(() => kindsOf(phone)).toEqual(["question", "close"]);
  const [opened, closed] = await phone.notices();
  expect(closed?.tag).toBe(opened?.tag);
});

it("a request whose chat is deleted is closed on the phone before its run is gone", async () => {
  const world = await aWorld();
  const { person, phone } = world;
  const { runId } = await aWaitingRun(person);
  await later(world, runId, 8);
  expect(await kindsOf(phone)).toEqual(["permission"]);
  await person.ask("DELETE", "/_framework/threads/t");
  expect(await kindsOf(phone)).toEqual(["permission", "close"]);
  const [opened, closed] = await phone.notices();
  expect(closed?.tag).toBe(opened?.tag);
});

const deleteAccount = async (person: Somebody) => {
  const deletion = { ownerEmail: OwnerEmail.parse(person.email), requestedAtMs: Date.now() };
  await requestDeletion(openDb(env.DB), deletion.ownerEmail, deletion.requestedAtMs);
  await continueDeletion(env, deletion, Date.now());
};

it("a request of an account that is deleted is closed on the phone", async () => {
  const world = await aWorld();
  const { person, phone } = world;
  const { runId } = await aWaitingRun(person);
  await later(world, runId, 8);
  expect(await kindsOf(phone)).toEqual(["permission"]);
  await deleteAccount(person);
  expect(await kindsOf(phone)).toEqual(["permission", "close"]);
});

it("a request that somebody watches is not told, until they leave without an answer", async () => {
  const world = await aWorld();
  const { person, phone } = world;
  const { runId, events } = await aWaitingRun(person);
  const stop = new AbortController();
  const stream = await openStream(person.request, events, "run_status", stop.signal);
  await later(world, runId, 60);
  expect(await kindsOf(phone)).toEqual([]);
  await stream.cancel();
  stop.abort();
  await untilUnwatched(runId);
  await later(world, runId, 60);
  expect(await kindsOf(phone)).toEqual(["permission"]);
});

it("a request that is decided within five seconds is never told", async () => {
  const world = await aWorld();
  const { person, phone } = world;
  const { runId } = await aWaitingRun(person);
  await person.followAllowing(runId);
  await later(world, runId, 60);
  expect(await kindsOf(phone)).toEqual([]);
});

/** A run that has ended without anybody watching, so long after its start. */
const anEndedRun = async ({ clock, person }: World, seconds: number) => {
  const { runId, events, requestId } = await aWaitingRun(person);
  clock.forward(seconds * 1_000);
  await person.decide(runId, requestId, {
    decision: "allow_once",
  });
  await expect.poll(async () => (await person.view(runId)).status).toBe("completed");
  // Later the session would let the next run start by its alarm, which does not ring by itself here.
  await emptyQueue((await person.view(runId)).sessionId);
  return { runId, events };
};

it("the end of a long run that nobody watches is told", async () => {
  const world = await aWorld();
  const { phone } = world;
  const { runId } = await anEndedRun(world, 31);
  await later(world, runId, 4);
  expect(await kindsOf(phone)).toEqual([]);
  await later(world, runId, 2);
  expect(await phone.notices()).toMatchObject([
    { kind: "run_end", tag: `run-${runId}`, title: "The agent has finished", url: "/t/t" },
  ]);
});

it("the end of a schedule's run is told, though the account is exported before it could be", async () => {
  const world = await aWorld();
  const { person, phone } = world;
  await dueSchedule(person);
  await startDue(env, Date.now());
  const [runId = ""] = await runsOf(person.email);
  await expect.poll(async () => (await person.view(runId)).status).toBe("completed");
  expect(await (await person.request("/_framework/account/export")).text()).toContain('"run_end"');
  await later(world, runId, 6);
  expect(await kindsOf(phone)).toEqual(["run_end"]);
});

it(
  "the end of a long run is told, though its events were asked for beyond the limit of reads",
  inOneMinute(async () => {
    const world = await aWorld();
    const { person, phone } = world;
    const { runId, events } = await anEndedRun(world, 31);
    await overRate(env.READ_LIMIT, person.email, () => fetchAs(person.email, "/_framework/session"));
    expect((await fetchAs(person.email, events)).status).toBe(429);
    await later(world, runId, 6);
    expect(await kindsOf(phone)).toEqual(["run_end"]);
  }),
);

it("an export that reads a run slowly counts as nobody who watches it", async () => {
  const world = await aWorld();
  const { person, phone, clock } = world;
  const { runId, requestId } = await aWaitingRun(person);
  const reading = exportRun(env, OwnerEmail.parse(person.email), { run_id: runId });
  await reading.next();
  // With the list of events its stream is open.
  expect(await reading.next()).toMatchObject({ value: "[" });
  await later(world, runId, 8);
  expect(await kindsOf(phone)).toEqual(["permission"]);
  clock.forward(31_000);
  await person.decide(runId, requestId, { decision: "allow_once" });
  await expect.poll(async () => (await person.view(runId)).status).toBe("completed");
  await later(world, runId, 6);
  expect(await kindsOf(phone)).toEqual(["permission", "close", "run_end"]);
  await reading.return(undefined);
});

it("the end of a run is not told once its account is deleted", async () => {
  const world = await aWorld();
  const { person, phone, clock } = world;
  const { runId } = await anEndedRun(world, 31);
  await deleteAccount(person);
  await later(world, runId, 6);
  clock.forward(60_000);
  await sendDueNotices(env, Date.now());
  expect(await kindsOf(phone)).toEqual([]);
});

/** A run whose end waits to be told until quiet hours are over, in three hours at most. */
const aQuietEnd = async () => {
  const world = await aWorld();
  const { person } = world;
  const timeOf = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString().slice(11, 16);
  const quietHours = { from: timeOf(-1), to: timeOf(2), timeZone: "UTC" };
  await person.ask("PATCH", "/_framework/settings", { notices: { quietHours } });
  const { runId, events } = await anEndedRun(world, 31);
  await later(world, runId, 6);
  const notice = env.DB.prepare("SELECT state FROM notices WHERE tag = ?").bind(`run-${runId}`);
  const untilItIs = (state: string) => expect.poll(() => notice.first("state")).toBe(state);
  await untilItIs("waiting");
  return { ...world, world, events, notice, untilItIs };
};

it.each(["waiting", "held"])(
  "the end of a run that waits for quiet hours to end is never told once it is read: %s",
  async (state) => {
    const { person, phone, clock, events, notice, untilItIs } = await aQuietEnd();
    await env.DB.prepare("UPDATE notices SET state = ? WHERE owner_email = ?").bind(state, person.email).run();
    expect(await (await person.request("/_framework/account/export")).text()).toContain('"run_end"');
    expect(await notice.first("state")).toBe(state);
    await person.events(events);
    await untilItIs("dropped");
    const asked = countD1();
    await person.events(events);
    expect(asked("UPDATE notices")).toBe(0);
    clock.forward(3 * HOUR_MS);
    await sendDueNotices(env, Date.now());
    expect(await kindsOf(phone)).toEqual([]);
  },
);

it.each([
  ["is deleted", false],
  ["is deleted, though a branch has the run", true],
])("the end of a run that waits for quiet hours to end is never told once its chat %s", async (_how, isBranched) => {
  const { world, person, phone, clock } = await aQuietEnd();
  if (isBranched) {
    const { runId: beforeRunId } = await anEndedRun(world, 5);
    expect((await person.ask("POST", "/_framework/threads/t/fork", { beforeRunId })).status).toBe(200);
  }
  await person.ask("DELETE", "/_framework/threads/t");
  clock.forward(3 * HOUR_MS);
  await sendDueNotices(env, Date.now());
  expect(await kindsOf(phone)).toEqual([]);
});

it("the end of a long run is not told to whoever comes back to read it, nor that of a short one", async () => {
  const world = await aWorld();
  const { person, phone } = world;
  const long = await anEndedRun(world, 31);
  await person.events(long.events);
  const short = await anEndedRun(world, 5);
  await later(world, long.runId, 60);
  await later(world, short.runId, 60);
  expect(await kindsOf(phone)).toEqual([]);
});
