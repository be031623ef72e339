/** `GET /_framework/threads?q=`: titles, prompts and answers of the person's own chats (api.md §2). */
import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { sha256Hex } from "../../../src/contract/digest.ts";
import { OwnerEmail, RunId, ThreadId } from "../../../src/contract/ids.ts";
import { FoundThread } from "../../../src/contract/thread.ts";
import { ChatIndex } from "../../../src/search/chat-index.ts";
import { searchOf } from "../../../src/search/search-rpc.ts";
import { say } from "../../support/model-script.ts";
import { holdBefore } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";
import { wholeDatabase } from "../../support/workerd/whole-database.ts";

const Answer = z.strictObject({ threads: z.array(z.strictObject(FoundThread.shape)), nextCursor: z.null() });

const search = async (person: Somebody, query: string) =>
  Answer.parse((await person.ask("GET", `/_framework/threads?q=${encodeURIComponent(query)}`)).body).threads;

const idsFound = async (person: Somebody, query: string) =>
  (await search(person, query)).map(({ threadId }) => threadId);

/** A turn that is over; what was said in it can be found soon after. */
const said = async (person: Somebody, threadId: string, prompt: string, answer: string) => {
  const model = await scriptModel(inject("modelUrl"), [say(answer)]);
  await person.runToEnd(threadId, model.prompt(prompt));
  await person.ask("PATCH", person.threadPath(threadId), { title: `Chat ${threadId}` });
};

it("a word of thousands of titles finds the newest of them, however long their ids are", async () => {
  const person = somebody();
  await env.DB.prepare(
    `WITH RECURSIVE nth(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM nth WHERE n < 4000)
     INSERT INTO threads SELECT ?1, replace(hex(zeroblob(95)), '00', '梨梨') || n, 'Many titles', n, n FROM nth`,
  )
    .bind(person.email)
    .run();
  const found = await idsFound(person, "many");
  expect(found.map((id) => id.replaceAll("梨", ""))).toEqual(Array.from({ length: 50 }, (_, n) => String(4000 - n)));
});

const objectOf = async (person: Somebody) => (await searchOf(env.SEARCH, OwnerEmail.parse(person.email))).stub;

it("prompts, answers and titles are found, with the text around them", async () => {
  const person = somebody();
  await said(person, "fruit", "What of my pears?", "They **ripened** slowly,\n\nin the cellar.");
  await said(person, "metal", "What of copper?", "It conducts.");
  await expect.poll(() => idsFound(person, "cellar")).toEqual(["fruit"]);
  expect((await search(person, "cellar"))[0]?.match).toContain("They **ripened** slowly, in the cellar.");
  expect(await idsFound(person, "pears")).toEqual(["fruit"]);
  expect(await search(person, "chat metal")).toMatchObject([{ threadId: "metal", match: "Chat metal" }]);
  await expect.poll(() => idsFound(person, "what")).toEqual(["metal", "fruit"]);
});

it.each([
  ["CELLAR rip", ["fruit"]],
  ["cellår", ["fruit"]],
  ["cellar copper", []],
  ["ellar", ["fruit"]],
  ["梨", ["fruit"]],
  ["9999999 %", ["fruit"]],
  ['"cellar', ["fruit"]],
  ["cellar OR copper", []],
  ["NEAR(ripened cellar)", []],
  ["prompt:cellar", []],
  ["cellar*", ["fruit"]],
  ["'; DROP TABLE turn; --", []],
  ['"""', []],
  ["%", ["fruit"]],
  ["_", []],
] as const)("what is typed is words and nothing else: %s", async (query, ids) => {
  const person = somebody();
  await said(person, "fruit", "鸭梨 of mine?", "They ripened in the cellar: 9999999 % of them.");
  await said(person, "metal", "What of it?", "It conducts.");
  await expect.poll(() => idsFound(person, "cellar")).toEqual(["fruit"]);
  expect(await idsFound(person, query)).toEqual(ids);
});

it.each([
  ["东京", "东京电力的股价", "请看东京电力"],
  ["หุ้น", "หุ้นโตเกียว", "ราคาหุ้นวันนี้"],
])("a word of a script without spaces is found wherever it is, newest first: %s", async (word, atStart, within) => {
  const person = somebody();
  await said(person, "within", "Which first?", within);
  await said(person, "start", "Which?", atStart);
  await said(person, "last", "Which last?", within);
  await expect.poll(() => idsFound(person, "which")).toEqual(["last", "start", "within"]);
  expect(await idsFound(person, word)).toEqual(["last", "start", "within"]);
});

it.each(["", "  ", "x".repeat(201)])(
  "a search of no length, or of more than 200 characters, is refused",
  async (query) => {
    expect(await somebody().ask("GET", `/_framework/threads?q=${query}`)).toEqual({
      status: 400,
      body: { error: "q: use 1 to 200 characters." },
    });
  },
);

it("nobody finds what others have said, also under the same id of a thread", async () => {
  const [one, other] = [somebody(), somebody()];
  await said(one, "t", "My secret is plums.", "I keep it.");
  await said(other, "t", "Hello.", "Hello.");
  await expect.poll(() => idsFound(one, "plums")).toEqual(["t"]);
  await expect.poll(() => idsFound(other, "hello")).toEqual(["t"]);
  expect(await idsFound(other, "plums")).toEqual([]);
});

it("no word of an answer is in D1, and a turn is taken in once however often it is told", async () => {
  const person = somebody();
  planCrashes("told", ["after send index"]);
  await said(person, "told", "Of quinces?", "Quinces are astringent.");
  await died("told");
  await expect.poll(() => idsFound(person, "quinces")).toEqual(["told"]);
  const rows = await runInDurableObject(await objectOf(person), (_, { storage }) =>
    storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM turn").one(),
  );
  expect(rows.n).toBe(1);
  const stored = await wholeDatabase();
  expect(stored).toContain("Chat told");
  expect(stored).not.toContain("astringent");
});

it("a turn that was stopped is found by its prompt", async () => {
  const person = somebody();
  const model = await scriptModel(inject("modelUrl"), [holdBefore(say("Never."))]);
  const { runId } = await person.startTurn("t", model.prompt("Of medlars, please."));
  await person.abort(runId);
  await person.ask("PATCH", person.threadPath("t"), { title: "Renamed" });
  await expect.poll(() => idsFound(person, "medlars")).toEqual(["t"]);
});

describe("a deleted thread", () => {
  it("is not found any more, and no word of it is left", async () => {
    const person = somebody();
    await said(person, "t", "Of damsons?", "Sour.");
    await said(person, "other", "Of sloes?", "Sourer.");
    await expect.poll(() => idsFound(person, "damsons")).toEqual(["t"]);
    await expect.poll(() => idsFound(person, "sloes")).toEqual(["other"]);
    await person.ask("DELETE", person.threadPath("t"));
    expect(await idsFound(person, "damsons")).toEqual([]);
    const left = await runInDurableObject(await objectOf(person), (_, { storage }) =>
      ["turn_text_content", "turn_text_data"].flatMap((table) => [
        ...storage.sql.exec(
          `SELECT hex(CAST(${table === "turn_text_data" ? "block" : "c0"} AS BLOB)) AS bytes FROM ${table}`,
        ),
      ]),
    );
    const hex = (text: string) => text.replace(/./g, (sign) => sign.charCodeAt(0).toString(16).toUpperCase());
    expect(JSON.stringify(left)).toContain(hex("sloes"));
    expect(JSON.stringify(left)).not.toContain(hex("damson"));
  });

  it("is not brought back by a turn that is told late, and a new one under its id is found", async () => {
    const person = somebody();
    await said(person, "t", "Of damsons?", "Sour.");
    await expect.poll(() => idsFound(person, "damsons")).toEqual(["t"]);
    const startedMs = Date.now();
    await person.ask("DELETE", person.threadPath("t"));
    const late = { prompt: "Of damsons?", answer: "Sour.", threadId: ThreadId.parse("t"), createdAtMs: startedMs };
    await (await objectOf(person)).put({ ...late, runId: RunId.parse(crypto.randomUUID()) });
    await said(person, "t", "Of sloes?", "Sourer.");
    await expect.poll(() => idsFound(person, "sloes")).toEqual(["t"]);
    expect(await idsFound(person, "damsons")).toEqual([]);
  });
});

it("the object of a search is named by a hash", async () => {
  const person = somebody();
  expect((await objectOf(person)).name).toBe(await sha256Hex(person.email));
});

describe("a search that has to read all texts", () => {
  /** Turns of the longest texts that are searched, without a word. The first says something. */
  const longChats = async (person: Somebody, turns: number) => {
    const stub = await objectOf(person);
    const text = "—".repeat(20_000);
    const put = async (threadId: string, answer: string) =>
      await stub.put({
        ...{ threadId: ThreadId.parse(threadId), runId: RunId.parse(crypto.randomUUID()) },
        ...{ createdAtMs: Date.now(), prompt: text, answer },
      });
    await put("oldest", "in the cellar");
    await Promise.all(Array.from({ length: turns }, () => put("long", text)));
    return stub;
  };

  it("lets other calls in meanwhile", async () => {
    const stub = await longChats(somebody(), 40);
    const answered: string[] = [];
    const note = async (name: string, found: Promise<readonly unknown[]>) => {
      const { length } = await found;
      answered.push(`${name} ${length}`);
    };
    await Promise.all([note("within", stub.find("ellar")), note("beginning", stub.find("cellar"))]);
    expect(answered).toEqual(["beginning 1", "within 1"]);
  });

  it("looks at the newest texts, as many as it may, and for as long as it may", async () => {
    const stub = await longChats(somebody(), 20);
    const all = { turns: 100, length: 1_000_000, ms: 600_000 };
    const found = (limits: Partial<typeof all>) =>
      runInDurableObject(stub, async (_, { storage }) => {
        const index = new ChatIndex(storage, { ...all, ...limits });
        return (await index.find("ellar")).length;
      });
    expect(await found({})).toBe(1);
    expect(await found({ turns: 16 })).toBe(0);
    expect(await found({ length: 800_000 })).toBe(0);
    expect(await found({ ms: -1 })).toBe(0);
  });
});
