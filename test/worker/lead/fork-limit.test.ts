/** How many turns the branches of a person's chats may repeat, all together (api.md §1). */
import { env } from "cloudflare:test";
import { it } from "vitest";
import { z } from "zod";
import { OwnerEmail, ThreadId } from "../../../src/contract/ids.ts";
import { claimFork, MAX_INHERITED_TURNS, showFork } from "../../../src/db/branches/fork-rows.ts";
import { openDb } from "../../../src/db/db.ts";
import { SessionObject } from "../../../src/session/session-object.ts";
import { aroundMethod } from "../../support/around-method.ts";
import { say } from "../../support/model-script.ts";
import { chat } from "../../support/workerd/chat.ts";

const Runs = z.object({ runs: z.array(z.looseObject({ runId: z.string() })) });

const Forked = z.object({ threadId: z.string() });

const FULL = {
  status: 409,
  body: {
    error:
      "Your branches would repeat more than 50,000 turns, the limit. Delete some branches, or branch before an earlier turn.",
  },
};

/** A chat that has had three turns, in an account whose other branches repeat `count` turns; it is branched before one of its turns. */
const besides = async (count: number) => {
  const talk = await chat([say("One."), say("Two."), say("Three.")]);
  await talk.turns("First words", "Second words", "Third words");
  await talk.handedOver();
  const { person, thread } = talk;
  const path = person.threadPath(thread);
  const { runs } = Runs.parse((await person.ask("GET", `${path}/runs`)).body);
  await env.DB.prepare(
    `WITH RECURSIVE nth(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM nth WHERE n < ?2)
     INSERT INTO run_marks (id, owner_email, thread_id, run_id, inherited_by, is_replaced)
     SELECT ?1 || n, ?1, 'branch-' || n % 10, 'run-' || n, 'session-' || n % 10, 0 FROM nth`,
  )
    .bind(person.email, count)
    .run();
  const fork = (turn: number) => person.ask("POST", `${path}/fork`, { beforeRunId: runs[turn - 1]?.runId });
  const rows = async () =>
    await env.DB.prepare(
      `SELECT (SELECT count(*) FROM harness_sessions WHERE owner_email = ?1) AS sessions,
         (SELECT count(*) FROM run_marks WHERE owner_email = ?1) AS marks,
         (SELECT count(*) FROM idempotency_keys WHERE owner_email = ?1) AS keys`,
    )
      .bind(person.email)
      .first();
  return { person, fork, rows };
};

it("all branches of a person repeat 50,000 turns at most, and nothing is copied beyond", async ({ expect }) => {
  const { fork, rows } = await besides(49_998);
  const copies: unknown[] = [];
  aroundMethod(SessionObject.prototype, "takeForkPart", async (_self, args, take) => {
    copies.push(args);
    return await take();
  });
  expect((await fork(2)).status).toBe(200);
  const before = await rows();
  copies.length = 0;
  expect(await fork(3)).toEqual(FULL);
  expect(copies).toEqual([]);
  expect(await rows()).toEqual(before);
  // What is branched before an earlier turn still fits.
  expect((await fork(2)).status).toBe(200);
  expect(await fork(2)).toEqual(FULL);
});

it("of two branches made at once only one gets the last place, and nothing is left of the other", async ({
  expect,
}) => {
  const { fork, rows } = await besides(49_999);
  const both = await Promise.all([fork(2), fork(2)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(both).toContainEqual(FULL);
  expect(await rows()).toEqual({ sessions: 2, marks: 50_000, keys: 1 });
});

it("a branch that is deleted gives its place back", async ({ expect }) => {
  const { person, fork } = await besides(49_999);
  const { threadId } = Forked.parse((await fork(2)).body);
  expect(await fork(2)).toEqual(FULL);
  await person.ask("DELETE", person.threadPath(threadId));
  expect((await fork(2)).status).toBe(200);
});

it("one branch may repeat all of them", async ({ expect }) => {
  const ownerEmail = OwnerEmail.parse(`${crypto.randomUUID()}@example.com`);
  const [from, threadId] = [ThreadId.parse(crypto.randomUUID()), ThreadId.parse(crypto.randomUUID())];
  const runIds = Array.from({ length: MAX_INHERITED_TURNS }, () => crypto.randomUUID());
  await env.DB.batch([
    env.DB.prepare("INSERT INTO threads VALUES (?, ?, 'Long', 1, 1)").bind(ownerEmail, from),
    env.DB.prepare(
      `INSERT INTO runs (run_id, owner_email, thread_id, session_id, status, created_at_ms, finished_at_ms)
       SELECT value, ?, ?, 'session', 'completed', 1, 1 FROM json_each(?)`,
    ).bind(ownerEmail, from, JSON.stringify(runIds)),
  ]);
  const sessionId = crypto.randomUUID();
  const copies = [{ sessionId, runIds }];
  const [db, fork] = [openDb(env.DB), { ownerEmail, from, threadId, nowMs: 1 }];
  await claimFork(db, fork, { key: "one branch", requestHash: "hash", turnsHash: "hash", sessions: [] });
  expect(await showFork(db, fork, { fromSessionIds: [], copies })).toBe(true);
  const marks = await env.DB.prepare("SELECT count(*) AS marks FROM run_marks WHERE inherited_by = ? AND thread_id = ?")
    .bind(sessionId, threadId)
    .first("marks");
  expect(marks).toBe(MAX_INHERITED_TURNS);
});
