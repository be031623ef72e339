/** What a branch inherits is taken into the search in pieces, and no text of it leaves SQLite on the way. */
import { env, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { RunId, ThreadId } from "../../../src/contract/ids.ts";
import { ChatIndex } from "../../../src/search/chat-index.ts";

const LONG_TEXT = "梨".repeat(20_000);

const from = ThreadId.parse("t");
const to = ThreadId.parse("branch");

/** The search of a person who has a chat with so many turns of 40,000 characters. */
const aLongChat = async (turns: number) => {
  const stub = env.SEARCH.get(env.SEARCH.newUniqueId());
  const runIds = Array.from({ length: turns }, () => RunId.parse(crypto.randomUUID()));
  await runInDurableObject(stub, (_, { storage }) => {
    const index = new ChatIndex(storage);
    for (const [nth, runId] of runIds.entries()) {
      const texts = { prompt: `Fruit${nth} ${LONG_TEXT}`, answer: LONG_TEXT };
      index.put({ threadId: from, runId, createdAtMs: 1, ...texts });
    }
  });
  return { stub, branched: { from, to, runIds } };
};

/** The threads in which each of the turns is found, in the order of the turns. */
const foundIn = (stub: DurableObjectStub, turns: number) =>
  runInDurableObject(stub, async (_, { storage }) => {
    const index = new ChatIndex(storage);
    const found = await Promise.all(Array.from({ length: turns }, (_, nth) => index.find(`fruit${nth}`)));
    return found.map((threads) => threads.map(({ threadId }) => threadId));
  });

it("a long chat is branched in pieces, each turn once, whatever is repeated", async () => {
  const { stub, branched } = await aLongChat(120);
  expect(await stub.branch(branched)).toBe(true);
  // Of a call whose answer was lost the next one is the repeat.
  expect(await stub.branch(branched)).toBe(true);
  expect((await foundIn(stub, 120)).map(({ length }) => length)).toEqual([
    ...Array.from({ length: 100 }, () => 2),
    ...Array.from({ length: 20 }, () => 1),
  ]);
  expect([await stub.branch(branched), await stub.branch(branched)]).toEqual([false, false]);
  expect(await foundIn(stub, 120)).toEqual(Array.from({ length: 120 }, () => [to, from]));
});

it("no text of a branch is read out of SQLite", async () => {
  const { stub, branched } = await aLongChat(60);
  const read = await runInDurableObject(stub, (_, { storage }) => {
    let length = 0;
    const { sql } = storage;
    const exec = (...statement: Parameters<SqlStorage["exec"]>) => {
      const rows = sql.exec(...statement).toArray();
      length += JSON.stringify(rows).length;
      return { [Symbol.iterator]: () => rows[Symbol.iterator](), one: () => rows[0], toArray: () => rows };
    };
    const counting = new Proxy(sql, { get: (_, name) => (name === "exec" ? exec : Reflect.get(sql, name, sql)) });
    const watched = new Proxy(storage, {
      get: (_, name) => {
        const own: unknown = name === "sql" ? counting : Reflect.get(storage, name, storage);
        return typeof own === "function" ? own.bind(storage) : own;
      },
    });
    const index = new ChatIndex(watched);
    index.branch(branched);
    index.branch(branched);
    return length;
  });
  expect(await foundIn(stub, 60)).toEqual(Array.from({ length: 60 }, () => [to, from]));
  expect(read).toBeLessThan(60 * 200);
});

it("a branch that is deleted meanwhile gets no more turns", async () => {
  const { stub, branched } = await aLongChat(60);
  expect(await stub.branch(branched)).toBe(true);
  while (await stub.removeThread(to, Date.now()));
  expect(await stub.branch(branched)).toBe(false);
  expect(await foundIn(stub, 60)).toEqual(Array.from({ length: 60 }, () => [from]));
});

it("a long chat is forgotten in pieces, and takes nothing in meanwhile", async () => {
  const { stub, branched } = await aLongChat(12);
  const nowMs = Date.now();
  const [runId] = branched.runIds;
  expect(await stub.removeThread(from, nowMs, [runId ?? ""])).toBe(true);
  const late = { threadId: from, runId: RunId.parse(crypto.randomUUID()), createdAtMs: nowMs, answer: "" };
  await stub.put({ ...late, prompt: "Too late" });
  const left = () =>
    runInDurableObject(stub, (_, { storage: { sql } }) => sql.exec("SELECT count(*) AS n FROM turn_text").one().n);
  expect(await left()).toBe(12 - 5);
  expect([await stub.removeThread(from, nowMs, [runId ?? ""]), await left()]).toEqual([true, 2]);
  expect([await stub.removeThread(from, nowMs, [runId ?? ""]), await left()]).toEqual([false, 1]);
});

it("a turn that comes in after its thread was branched, and deleted, is found in the branch", async () => {
  const { stub, branched } = await aLongChat(1);
  const runId = RunId.parse(crypto.randomUUID());
  expect(await stub.branch({ ...branched, runIds: [...branched.runIds, runId] })).toBe(false);
  await stub.removeThread(from, Date.now());
  await stub.put({ threadId: from, runId, createdAtMs: 1, prompt: "Fruit1", answer: "" });
  expect(await foundIn(stub, 2)).toEqual([[to], [to]]);
  await stub.removeThread(to, Date.now());
  await stub.put({ threadId: from, runId, createdAtMs: 1, prompt: "Fruit1", answer: "" });
  expect(await foundIn(stub, 2)).toEqual([[], []]);
});
