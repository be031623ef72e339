/** A branch and what surrounds it: the search of chats, and copies that were cut off (api.md §2). */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { z } from "zod";
import { runMinute } from "../../../src/account/run-cron.ts";
import { say } from "../../support/model-script.ts";
import { answerOf } from "../../support/workerd/answer.ts";
import { chat } from "../../support/workerd/chat.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";

nothingDue();

const Runs = z.object({ runs: z.array(z.looseObject({ runId: z.string() })) });
const Forked = z.object({ threadId: z.string() });
const Found = z.object({ threads: z.array(z.looseObject({ threadId: z.string(), match: z.string() })) });
const Ids = z.array(z.object({ id: z.string() }));

const DAY_MS = 24 * 3_600_000;

/** A chat that has had three turns, about pears, plums and figs. */
const threeTurns = async () => {
  const talk = await chat([say("Pears are fine."), say("Plums are fine."), say("Figs are fine."), say("Branched.")]);
  await talk.turns("What of pears?", "What of plums?", "What of figs?");
  await talk.handedOver();
  const { person } = talk;
  const runsOf = async (threadId: string) =>
    Runs.parse((await person.ask("GET", `${person.threadPath(threadId)}/runs`)).body).runs.map(({ runId }) => runId);
  const find = async (words: string) =>
    Found.parse((await person.ask("GET", `/_framework/threads?q=${encodeURIComponent(words)}`)).body).threads;
  // A turn is found a moment after its end.
  for (const fruit of ["pears", "plums", "figs"]) await expect.poll(() => find(`${fruit} are`)).toHaveLength(1);
  return {
    ...talk,
    runsOf,
    find,
    findIds: async (words: string) => (await find(words)).map(({ threadId }) => threadId).sort(),
    fork: async (nth: number, from = talk.thread, key: string = crypto.randomUUID()) => {
      const beforeRunId = (await runsOf(from))[nth - 1];
      const path = `${person.threadPath(from)}/fork`;
      const { body } = await answerOf(await person.post(path, { beforeRunId }, { "Idempotency-Key": key }));
      return Forked.parse(body).threadId;
    },
    /** As after a day. */
    age: async (key: string) =>
      await env.DB.prepare("UPDATE idempotency_keys SET created_at_ms = ?3 WHERE owner_email = ?1 AND key = ?2")
        .bind(person.email, key, Date.now() - DAY_MS - 1)
        .run(),
    sessions: async () =>
      Ids.parse(
        (
          await env.DB.prepare("SELECT id FROM harness_sessions WHERE owner_email = ? ORDER BY rowid")
            .bind(person.email)
            .all()
        ).results,
      ).map(({ id }) => id),
  };
};

it("what a branch inherits is found in it, also in a branch of it, and when the original is deleted", async () => {
  const talk = await threeTurns();
  const branch = await talk.fork(3);
  expect(await talk.findIds("plums are")).toEqual([talk.thread, branch].sort());
  // What came after is not in it.
  expect(await talk.findIds("figs are")).toEqual([talk.thread]);
  const second = await talk.fork(2, branch);
  expect(await talk.findIds("pears are")).toEqual([talk.thread, branch, second].sort());
  await talk.person.ask("DELETE", talk.person.threadPath(talk.thread));
  expect(await talk.findIds("pears are")).toEqual([branch, second].sort());
  expect((await talk.find("plums are")).map(({ match }) => match)).toEqual([
    expect.stringContaining("Plums are fine."),
  ]);
  await talk.person.ask("DELETE", talk.person.threadPath(branch));
  expect(await talk.findIds("pears are")).toEqual([second]);
  expect(await talk.findIds("plums are")).toEqual([]);
});

it("a copy that was cut off and is never asked for again is deleted within a day", async () => {
  const talk = await threeTurns();
  const threadId = await talk.fork(3);
  const [original, copy] = await talk.sessions();
  // As a Worker leaves it that died between the end of the copy and showing it.
  await env.DB.batch([
    env.DB.prepare("DELETE FROM threads WHERE thread_id = ?").bind(threadId),
    env.DB.prepare("DELETE FROM run_marks WHERE thread_id = ?").bind(threadId),
  ]);
  const rowsIn = async () => (await env.SESSIONS.getByName(copy ?? "").exportPage(null)).blocks.length;
  expect(await rowsIn()).toBeGreaterThan(0);
  await runMinute(env, Date.now());
  expect(await talk.sessions()).toEqual([original, copy]);
  await runMinute(env, Date.now() + DAY_MS + 1);
  expect(await talk.sessions()).toEqual([original]);
  expect(await rowsIn()).toBe(0);
  expect((await talk.runsOf(talk.thread)).length).toBe(3);
});

it("a copy that cannot be deleted is tried again, and holds up no other key", async () => {
  const talk = await threeTurns();
  const threadId = await talk.fork(3);
  const [original, copy] = await talk.sessions();
  const nowMs = Date.now();
  const oldKey = env.DB.prepare("INSERT INTO idempotency_keys VALUES (?, 'action', 'old', 'hash', '{}', ?)");
  await env.DB.batch([
    env.DB.prepare("DELETE FROM threads WHERE thread_id = ?").bind(threadId),
    oldKey.bind("somebody@example.com", nowMs - 1),
  ]);
  const SESSIONS = new Proxy(env.SESSIONS, {
    get: (sessions, name) =>
      name === "getByName"
        ? (id: string) => (id === copy ? { purge: () => Promise.reject(new Error("Gone.")) } : sessions.getByName(id))
        : Reflect.get(sessions, name),
  });
  await runMinute({ ...env, SESSIONS }, nowMs + DAY_MS);
  expect(await talk.sessions()).toEqual([original, copy]);
  const old = env.DB.prepare("SELECT key FROM idempotency_keys WHERE owner_email = 'somebody@example.com'");
  expect(await old.first()).toBeNull();
  await runMinute(env, nowMs + DAY_MS);
  expect(await talk.sessions()).toEqual([original]);
});

it("a key that has expired is as good as a new one, although its row is still there", async () => {
  const talk = await threeTurns();
  const first = await talk.fork(3, talk.thread, "k");
  await talk.age("k");
  const second = await talk.fork(3, talk.thread, "k");
  expect(second).not.toBe(first);
  expect(await talk.runsOf(second)).toEqual(await talk.runsOf(first));
  // It is the key of the second from now on.
  expect(await talk.fork(3, talk.thread, "k")).toBe(second);
});

it("a copy that was cut off is deleted although its expired key is used for another branch", async () => {
  const talk = await threeTurns();
  const lost = await talk.fork(3, talk.thread, "k");
  const [original, copy] = await talk.sessions();
  await env.DB.batch([
    env.DB.prepare("DELETE FROM threads WHERE thread_id = ?").bind(lost),
    env.DB.prepare("DELETE FROM run_marks WHERE thread_id = ?").bind(lost),
  ]);
  await talk.age("k");
  const branch = await talk.fork(3, talk.thread, "k");
  await runMinute(env, Date.now());
  expect(await talk.sessions()).toEqual([original, expect.not.stringMatching(copy ?? "")]);
  expect(await talk.runsOf(branch)).toHaveLength(2);
});

it("copies beyond those that are deleted at once keep their keys until it is their turn", async () => {
  const owner = `${crypto.randomUUID()}@example.com`;
  const nowMs = Date.now();
  const claim = env.DB.prepare("INSERT INTO idempotency_keys VALUES (?1, 'turn', ?2, 'hash', ?3, ?4)");
  const claims = Array.from({ length: 60 }, (_, nth) =>
    claim.bind(owner, `fork ${nth}`, JSON.stringify({ threadId: `t${nth}`, isFork: true }), nowMs - 1),
  );
  await env.DB.batch(claims);
  const left = async () =>
    await env.DB.prepare("SELECT count(*) AS n FROM idempotency_keys WHERE owner_email = ?").bind(owner).first("n");
  await runMinute(env, nowMs + DAY_MS);
  expect(await left()).toBe(10);
  await runMinute(env, nowMs + DAY_MS);
  expect(await left()).toBe(0);
});

it("a branch that is there outlives the key of its request", async () => {
  const talk = await threeTurns();
  const branch = await talk.fork(3);
  await runMinute(env, Date.now() + DAY_MS + 1);
  expect(await talk.runsOf(branch)).toHaveLength(2);
  expect(await talk.sessions()).toHaveLength(2);
});
