/** The deletion of a chat that was cut off is finished by the cron, and takes along nothing that is not of that chat. */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { z } from "zod";
import { runMinute } from "../../../src/account/run-cron.ts";
import { OwnerEmail, ThreadId } from "../../../src/contract/ids.ts";
import { continueThreadDeletions, deleteThread, GO_ON_MS } from "../../../src/thread/delete-thread.ts";
import { say } from "../../support/model-script.ts";
import { chat } from "../../support/workerd/chat.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";

nothingDue();

const Runs = z.object({ runs: z.array(z.looseObject({ runId: z.string() })) });
const Forked = z.object({ threadId: z.string() });
const Found = z.object({ threads: z.array(z.looseObject({ threadId: z.string() })) });

/** Objects whose deletion fails. */
const kept = <Objects extends typeof env.RUNS | typeof env.SESSIONS>(objects: Objects): Objects => {
  const getByName = (name: string) => ({
    allFacts: () => env.SESSIONS.getByName(name).allFacts(),
    purge: () => Promise.reject(new Error("Cut off.")),
  });
  return new Proxy(objects, { get: (all, name) => (name === "getByName" ? getByName : Reflect.get(all, name)) });
};

/** A chat that has had three turns. */
const threeTurns = async () => {
  const talk = await chat(["Pears.", "Plums.", "Figs.", "Dates.", "Grapes."].map((fruit) => say(fruit)));
  await talk.turns("First", "Second", "Third");
  await talk.handedOver();
  const { person, thread } = talk;
  const owner = OwnerEmail.parse(person.email);
  const runsOf = async (threadId: string) =>
    Runs.parse((await person.ask("GET", `${person.threadPath(threadId)}/runs`)).body).runs.map(({ runId }) => runId);
  const find = async (words: string) =>
    Found.parse((await person.ask("GET", `/_framework/threads?q=${words}`)).body).threads.map(
      ({ threadId }) => threadId,
    );
  const left = async () =>
    await env.DB.prepare(
      `SELECT (SELECT count(*) FROM threads WHERE owner_email = ?1) AS threads,
         (SELECT count(*) FROM runs WHERE owner_email = ?1) AS runs,
         (SELECT count(*) FROM run_marks WHERE owner_email = ?1) AS marks,
         (SELECT count(*) FROM harness_sessions WHERE owner_email = ?1) AS sessions,
         (SELECT count(*) FROM thread_deletions WHERE owner_email = ?1) AS deletions`,
    )
      .bind(person.email)
      .first();
  return {
    ...talk,
    runsOf,
    find,
    left,
    fork: async (beforeRunId: string | undefined) =>
      Forked.parse((await person.ask("POST", `${person.threadPath(thread)}/fork`, { beforeRunId })).body).threadId,
    cutOff: async (objects: Partial<typeof env>) =>
      await expect(deleteThread({ ...env, ...objects }, owner, ThreadId.parse(thread))).rejects.toThrow(),
  };
};

const NOTHING = { threads: 0, runs: 0, marks: 0, sessions: 0, deletions: 0 };

const later = () => Date.now() + GO_ON_MS;

it.each(["RUNS", "SESSIONS"] as const)("one whose %s could not be deleted is finished by the cron", async (kind) => {
  const { thread, left, runsOf, find, sessionId, cutOff } = await threeTurns();
  const talk = { runs: await runsOf(thread), session: await sessionId() };
  await expect.poll(() => find("figs")).toEqual([thread]);
  await cutOff({ [kind]: kept(env[kind]) });
  // Whoever asked for it may still be at it.
  await runMinute(env, Date.now());
  expect(await left()).toMatchObject({ threads: 1, runs: 3, deletions: 1 });
  await runMinute(env, later());
  expect(await left()).toEqual(NOTHING);
  expect(await find("figs")).toEqual([]);
  for (const runId of talk.runs) expect(await env.RUNS.getByName(runId).status()).toBeUndefined();
  expect(await env.SESSIONS.getByName(talk.session).exportPage(null)).toMatchObject({ blocks: [] });
});

it("one that goes on leaves alone what was begun under the same id meanwhile, and its branch", async () => {
  const { person, thread, turns, left, runsOf, fork, find, cutOff } = await threeTurns();
  const old = await runsOf(thread);
  await cutOff({ SESSIONS: kept(env.SESSIONS) });
  await turns("Anew", "Again");
  const fresh = (await runsOf(thread)).filter((runId) => !old.includes(runId));
  await expect.poll(() => find("dates")).toEqual([thread]);
  const branch = await fork(fresh[1]);
  await runMinute(env, later());
  expect(await runsOf(thread)).toEqual(fresh);
  const title = env.DB.prepare("SELECT title FROM threads WHERE owner_email = ? AND thread_id = ?");
  expect(await title.bind(person.email, thread).first("title")).toMatch(/^Anew /);
  expect(await runsOf(branch)).toEqual(fresh.slice(0, 1));
  expect((await find("dates")).toSorted()).toEqual([thread, branch].toSorted());
  expect(await find("figs")).toEqual([]);
  expect(await left()).toEqual({ threads: 2, runs: 2, marks: 1, sessions: 2, deletions: 0 });
});

it("one that goes on leaves what a branch lists to that", async () => {
  const { thread, left, runsOf, fork, cutOff } = await threeTurns();
  const runs = await runsOf(thread);
  const branch = await fork(runs[1]);
  await cutOff({ RUNS: kept(env.RUNS) });
  await runMinute(env, later());
  expect(await runsOf(branch)).toEqual(runs.slice(0, 1));
  expect(await left()).toEqual({ threads: 1, runs: 1, marks: 1, sessions: 1, deletions: 0 });
});

it("a minute deletes a limited number of runs, and the next goes on", async () => {
  const { left, cutOff } = await threeTurns();
  await cutOff({ RUNS: kept(env.RUNS) });
  await continueThreadDeletions(env, later(), 2);
  expect(await left()).toMatchObject({ threads: 1, runs: 1, deletions: 1 });
  await continueThreadDeletions(env, later(), 2);
  expect(await left()).toEqual(NOTHING);
});

it("a run that cannot be deleted holds up no other", async () => {
  const { thread, left, runsOf, cutOff } = await threeTurns();
  const [stuck = ""] = await runsOf(thread);
  const getByName = (name: string) => (name === stuck ? kept(env.RUNS) : env.RUNS).getByName(name);
  const RUNS = new Proxy(env.RUNS, {
    get: (runs, name) => (name === "getByName" ? getByName : Reflect.get(runs, name)),
  });
  await cutOff({ RUNS });
  expect(await runsOf(thread)).toEqual([stuck]);
  await runMinute(env, later());
  expect(await left()).toEqual(NOTHING);
});

it("a branch that is shown once more while it is deleted leaves nothing that it inherits", async () => {
  const { person, thread, runsOf, fork, left } = await threeTurns();
  const branch = await fork((await runsOf(thread))[1]);
  const { results } = await env.DB.prepare("SELECT * FROM run_marks WHERE thread_id = ?").bind(branch).all();
  // As the same request does that was sent twice, and shows the branch the second time only now.
  const showAgain = async () => {
    const insert =
      "INSERT INTO run_marks SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5 FROM json_each(?)";
    await env.DB.prepare(insert)
      .bind(JSON.stringify(results.map((row) => Object.values(row))))
      .run();
  };
  const SEARCH = new Proxy(env.SEARCH, {
    get: (objects, name) => (name === "getByName" ? () => ({ removeThread: showAgain }) : Reflect.get(objects, name)),
  });
  await deleteThread({ ...env, SEARCH }, OwnerEmail.parse(person.email), ThreadId.parse(branch));
  expect(await left()).toEqual({ threads: 1, runs: 3, marks: 0, sessions: 1, deletions: 0 });
});

it("one that fails again holds up no other", async () => {
  const [stuck, other] = [await threeTurns(), await threeTurns()];
  const session = await stuck.sessionId();
  await stuck.cutOff({ SESSIONS: kept(env.SESSIONS) });
  await other.cutOff({ SESSIONS: kept(env.SESSIONS) });
  const getByName = (name: string) => (name === session ? kept(env.SESSIONS) : env.SESSIONS).getByName(name);
  const SESSIONS = new Proxy(env.SESSIONS, {
    get: (sessions, name) => (name === "getByName" ? getByName : Reflect.get(sessions, name)),
  });
  await runMinute({ ...env, SESSIONS }, later());
  expect(await other.left()).toEqual(NOTHING);
  expect(await stuck.left()).toMatchObject({ threads: 1, runs: 3, deletions: 1 });
});
