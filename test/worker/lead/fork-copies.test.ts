/** What a branch's copy is made of: parts of a long conversation, nothing where there is no place, and what other harnesses are told. */
import { env, runInDurableObject } from "cloudflare:test";
import { expect, inject, it } from "vitest";
import { z } from "zod";
import { HarnessSessionId, OwnerEmail, RunId, ThreadId } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { listRunsElsewhere } from "../../../src/db/runs-elsewhere.ts";
import { SearchObject } from "../../../src/search/search-object.ts";
import { SessionObject } from "../../../src/session/session-object.ts";
import { reservationId } from "../../../src/session/session-wire.ts";
import { dropBranch } from "../../../src/thread/drop-branch.ts";
import { aroundMethod } from "../../support/around-method.ts";
import { say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { answerOf } from "../../support/workerd/answer.ts";
import { chat } from "../../support/workerd/chat.ts";
import { insertLostStart } from "../../support/workerd/lost-start.ts";
import { addThreads } from "../../support/workerd/many-threads.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const Runs = z.object({ runs: z.array(z.looseObject({ runId: z.string() })) });

const Forked = z.object({ threadId: z.string() });

const Claim = z.object({ threadId: ThreadId });

const QueuePlace = z.object({ grant: z.number() });

const Row = z.object({ id: z.string() });

const Part = z.object({ blocks: z.array(z.object({ id: z.number() })) });

/** A chat that has had two turns, and its runs. */
const twoTurns = async () => {
  const talk = await chat([say("One."), say("Two.")]);
  await talk.turns("First words", "Second words");
  await talk.handedOver();
  const { person, thread } = talk;
  const path = person.threadPath(thread);
  const [first, second] = Runs.parse((await person.ask("GET", `${path}/runs`)).body).runs.map(({ runId }) => runId);
  const lead = (how: "fork" | "rewind") => person.ask("POST", `${path}/${how}`, { beforeRunId: second });
  return { ...talk, first, second, lead };
};

/** The ids of a session's rows, with the lengths of their bodies. */
const rowsOf = async (sessionId: string) =>
  await runInDurableObject(env.SESSIONS.getByName(sessionId), (_, { storage: { sql } }) => [
    ...sql.exec("SELECT id, run_id, length(body) AS length FROM block ORDER BY id"),
  ]);

const sessionOf = async (threadId: string) =>
  Row.parse(await env.DB.prepare("SELECT id FROM harness_sessions WHERE thread_id = ?").bind(threadId).first()).id;

/** What D1 has of somebody's branches and their tries. */
const leftOf = async (email: string) =>
  await env.DB.prepare(
    `SELECT (SELECT count(*) FROM harness_sessions WHERE owner_email = ?1) AS sessions,
       (SELECT count(*) FROM run_marks WHERE owner_email = ?1) AS marks,
       (SELECT count(*) FROM idempotency_keys WHERE owner_email = ?1) AS keys`,
  )
    .bind(email)
    .first();

it("a conversation of several parts is copied whole, with the ids of its rows", async ({ expect }) => {
  const { inSession, first, lead, sessionId } = await twoTurns();
  // Ten megabytes, between the rows of the first turn and those of the second.
  await inSession((sql) => {
    sql.exec("UPDATE block SET id = id + 100 WHERE run_id <> ?", first);
    for (let nth = 1; nth <= 10; nth += 1) {
      sql.exec(
        "INSERT INTO block (id, epoch, run_id, model, message, role, body) VALUES (?, 1, ?, 'm', 1, 'assistant', ?)",
        ...[50 + nth, first ?? "", JSON.stringify({ type: "text", text: "x".repeat(1_000_000) })],
      );
    }
  });
  const { threadId } = Forked.parse((await lead("fork")).body);
  const original = await rowsOf(await sessionId());
  const copied = await rowsOf(await sessionOf(threadId));
  expect(copied).toEqual(original.filter(({ run_id }) => run_id === first));
  expect(copied).toHaveLength(13);
});

it("a person with 5,000 chats cannot branch another one, and nothing is copied", async ({ expect }) => {
  const { person, lead } = await twoTurns();
  await addThreads(person.email, 4_999);
  const copies: unknown[] = [];
  aroundMethod(SessionObject.prototype, "takeForkPart", async (_self, args, take) => {
    copies.push(args);
    return await take();
  });
  expect(await lead("fork")).toEqual({
    status: 409,
    body: { error: "You have 5,000 chats, the limit. Delete some first." },
  });
  expect(copies).toEqual([]);
  expect(await leftOf(person.email)).toEqual({ sessions: 1, marks: 0, keys: 0 });
  // Deleting five thousand chats one by one would outlast the test.
  await env.DB.prepare("DELETE FROM threads WHERE owner_email = ? AND thread_id GLOB 'thread-*'")
    .bind(person.email)
    .run();
});

it("another harness is told of what a branch inherits, and not of what is replaced", async ({ expect }) => {
  const { person, thread, first, second, lead } = await twoTurns();
  const toldIn = async (threadId: string) =>
    await listRunsElsewhere(
      openDb(env.DB),
      {
        runId: RunId.parse(crypto.randomUUID()),
        ownerEmail: OwnerEmail.parse(person.email),
        threadId: ThreadId.parse(threadId),
        sessionId: HarnessSessionId.parse(crypto.randomUUID()),
      },
      [],
    );
  const { threadId } = Forked.parse((await lead("fork")).body);
  const harness = "anthropic";
  expect(await toldIn(threadId)).toEqual([{ runId: first, sessionId: await sessionOf(threadId), harness }]);
  expect((await toldIn(thread)).map(({ runId }) => runId)).toEqual([first, second]);
  await lead("rewind");
  expect((await toldIn(thread)).map(({ runId }) => runId)).toEqual([first]);
});

it("a chat in which somebody goes back meanwhile is busy, and nothing is left of the try", async ({ expect }) => {
  const { person, thread, first, lead, sessionId } = await twoTurns();
  const session = env.SESSIONS.getByName(await sessionId());
  const holder = reservationId(Date.now() + 60_000, crypto.randomUUID());
  const place = QueuePlace.parse(await session.reserve(holder));
  const rewind = {
    ...{ ownerEmail: OwnerEmail.parse(person.email), threadId: ThreadId.parse(thread) },
    runIds: [first ?? ""],
  };
  expect(await session.rewind(holder, place.grant, rewind)).toBe(true);
  await session.release(holder);
  // As long as D1 has not been told of it.
  await env.DB.prepare("DELETE FROM run_marks WHERE owner_email = ?").bind(person.email).run();
  expect(await lead("fork")).toEqual({ status: 409, body: { error: "The thread is busy." } });
  expect(await leftOf(person.email)).toEqual({ sessions: 1, marks: 0, keys: 0 });
});

it("a turn that its run could not hand over yet is copied too", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [say("One."), say("Two.")]);
  const person = somebody();
  const thread = crypto.randomUUID();
  let isAway = true;
  const { promise: refused, resolve: setRefused } = Promise.withResolvers<void>();
  aroundMethod(SessionObject.prototype, "finish", (_, __, call) => {
    if (!isAway) return call();
    setRefused();
    throw new Error("The session is away.");
  });
  const first = await person.startTurn(thread, model.prompt("First"));
  await person.follow(first.events);
  // The run tries again a second later, or when it is asked to.
  await refused;
  isAway = false;
  // One behind it that never began: its object knows nothing.
  await env.DB.prepare("UPDATE runs SET created_at_ms = 1 WHERE run_id = ?").bind(first.runId).run();
  const beforeRunId = await insertLostStart(person.email, thread, "Second");
  const forked = await person.ask("POST", `${person.threadPath(thread)}/fork`, { beforeRunId });
  const { threadId } = Forked.parse(forked.body);
  await person.follow((await person.startTurn(threadId, "Third")).events);
  expect(JSON.stringify((await model.requests())[1]?.body)).toContain("One.");
});

it("a piece of a file that comes twice, or from two requests, leaves what was copied", async ({ expect }) => {
  const { sessionId } = await twoTurns();
  const session = env.SESSIONS.getByName(await sessionId());
  const take = (offset: number, text: string) =>
    session.takeCopy({ offset, bytes: Uint8Array.from(new TextEncoder().encode(text)).buffer });
  expect([await take(0, "one"), await take(3, "two")]).toEqual([true, true]);
  expect([await take(3, "two"), await take(0, "one")]).toEqual([true, true]);
  expect(await take(6, "three")).toBe(true);
  expect((await session.copied(0)).size).toBe(11);
  expect(await take(20, "behind a gap")).toBe(false);
  // Of a session that has begun anew since.
  expect(await take(0, "new")).toBe(true);
  expect((await session.copied(0)).size).toBe(3);
});

it("a copy that was cut off is not continued once the conversation has begun anew", async ({ expect }) => {
  const { inSession, first, sessionId } = await twoTurns();
  const session = env.SESSIONS.getByName(await sessionId());
  const copied = Part.parse(await session.forkPart([first ?? ""], 0)).blocks.at(-1)?.id ?? 0;
  expect(await session.forkPart([first ?? ""], copied)).toMatchObject({ blocks: [] });
  await inSession((sql) => sql.exec("UPDATE session SET epoch = epoch + 1"));
  expect(await session.forkPart([first ?? ""], copied)).toBeUndefined();
  expect(await session.forkPart([first ?? ""], 0)).toMatchObject({ blocks: [] });
});

it("a copy that is whole stays, though the conversation has begun anew before it was shown", async ({ expect }) => {
  const { person, thread, second, inSession } = await twoTurns();
  const path = `${person.threadPath(thread)}/fork`;
  const fork = async () =>
    await answerOf(await person.post(path, { beforeRunId: second }, { "Idempotency-Key": "one branch" }));
  const { threadId } = Forked.parse((await fork()).body);
  const rows = await rowsOf(await sessionOf(threadId));
  // As a Worker leaves it that died between the end of the copy and showing it.
  await env.DB.batch([
    env.DB.prepare("DELETE FROM threads WHERE thread_id = ?").bind(threadId),
    env.DB.prepare("DELETE FROM run_marks WHERE thread_id = ?").bind(threadId),
  ]);
  await inSession((sql) => sql.exec("UPDATE session SET epoch = epoch + 1"));
  expect(await fork()).toEqual({ status: 200, body: { threadId } });
  expect(rows.length).toBeGreaterThan(0);
  expect(await rowsOf(await sessionOf(threadId))).toEqual(rows);
});

/** A chat with three turns. `fork` branches it before the last, under one key; the first try is cut off once all is copied. */
const forkCutOff = async () => {
  const talk = await chat([say("One."), say("Two."), say("Three.")]);
  await talk.turns("First words", "Second words", "Third words");
  await talk.handedOver();
  const { person, thread } = talk;
  const path = person.threadPath(thread);
  const [first, second, third] = Runs.parse((await person.ask("GET", `${path}/runs`)).body).runs.map(
    ({ runId }) => runId,
  );
  const fork = async () =>
    await answerOf(await person.post(`${path}/fork`, { beforeRunId: third }, { "Idempotency-Key": "one branch" }));
  let isAway = true;
  aroundMethod(SearchObject.prototype, "branch", (_, __, call) => {
    if (isAway) throw new Error("The search is away.");
    return call();
  });
  expect(await fork()).toMatchObject({ status: 500 });
  isAway = false;
  const { threadId } = Claim.parse(
    await env.DB.prepare("SELECT thread_id AS threadId FROM harness_sessions WHERE owner_email = ? AND thread_id <> ?")
      .bind(person.email, thread)
      .first(),
  );
  return { ...talk, path, first, second, fork, branch: { ownerEmail: OwnerEmail.parse(person.email), threadId } };
};

it("a copy that was cut off is not shown with fewer turns than it has, once somebody has gone back", async () => {
  const { person, path, first, second, fork, sessionId } = await forkCutOff();
  expect(await person.ask("POST", `${path}/rewind`, { beforeRunId: second })).toMatchObject({ status: 200 });
  expect(await fork()).toEqual({ status: 409, body: { error: "The thread is busy." } });
  expect(await leftOf(person.email)).toMatchObject({ sessions: 1, keys: 0 });
  const { threadId } = Forked.parse((await fork()).body);
  const original = await rowsOf(await sessionId());
  expect(await rowsOf(await sessionOf(threadId))).toEqual(original.filter(({ run_id }) => run_id === first));
});

it("a copy that is shown is not deleted by a request that could not show it", async () => {
  const { fork, branch } = await forkCutOff();
  expect(await fork()).toMatchObject({ status: 200 });
  const rows = await rowsOf(await sessionOf(branch.threadId));
  expect(await dropBranch(env, openDb(env.DB), branch)).toBe(false);
  expect(rows.length).toBeGreaterThan(0);
  expect(await rowsOf(await sessionOf(branch.threadId))).toEqual(rows);
});

it("nor is a copy shown that is just being deleted", async () => {
  const { fork, branch } = await forkCutOff();
  const answers: Promise<unknown>[] = [];
  aroundMethod(SessionObject.prototype, "purge", async (_, __, call) => {
    // That request deletes the copy as well.
    if (answers.length === 0) await answers[answers.push(fork()) - 1];
    return await call();
  });
  expect(await dropBranch(env, openDb(env.DB), branch)).toBe(true);
  expect(await Promise.all(answers)).toEqual([{ status: 409, body: { error: "The thread is busy." } }]);
});
