/** The threads of a person: list, pages, rename, runs, ids of every kind (api.md §2). */
import { env } from "cloudflare:test";
import { describe, inject, it } from "vitest";
import { z } from "zod";
import { ThreadRunView, ThreadView } from "../../../src/contract/thread.ts";
import { callTool, say } from "../../support/model-script.ts";
import { holdBefore } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";

const PATH = "/_framework/threads";

const ThreadPage = z.strictObject({
  threads: z.array(z.strictObject(ThreadView.shape)),
  nextCursor: z.string().nullable(),
});

const RunPage = z.strictObject({
  runs: z.array(z.strictObject(ThreadRunView.shape)),
  nextCursor: z.string().nullable(),
});

const readPage = async (client: Somebody, query = "") =>
  ThreadPage.parse((await client.ask("GET", `${PATH}${query}`)).body);

const idsOf = (...pages: readonly z.infer<typeof ThreadPage>[]): string[] =>
  pages.flatMap(({ threads }) => threads.map(({ threadId }) => threadId));

const answers = (count: number) => Array.from({ length: count }, () => say("Hi."));

/** Somebody with these threads, made one after the other, each with one finished turn. */
const withThreads = async (threadIds: readonly string[]) => {
  const model = await scriptModel(inject("modelUrl"), answers(threadIds.length));
  const client = somebody();
  for (const threadId of threadIds) await client.runToEnd(threadId, model.prompt(`Hello from ${threadId}`));
  return { model, client };
};

describe("the list of threads", () => {
  it("is empty at first", async ({ expect }) => {
    expect(await readPage(somebody())).toEqual({ threads: [], nextCursor: null });
  });

  it("has the newest first, each with the beginning of its first prompt as title", async ({ expect }) => {
    const { client } = await withThreads(["a", "b", "c"]);
    const page = await readPage(client);
    expect(idsOf(page)).toEqual(["c", "b", "a"]);
    expect(page.threads.map(({ title }) => title.slice(0, 12))).toEqual([
      "Hello from c",
      "Hello from b",
      "Hello from a",
    ]);
    expect(page.threads.map(({ activeRunId }) => activeRunId)).toEqual([null, null, null]);
    expect(page.threads.map(({ status }) => status)).toEqual([null, null, null]);
    const times = page.threads.map(({ updatedAt }) => updatedAt);
    expect(times).toEqual(times.map((time) => new Date(time).toISOString()));
    expect(times).toEqual(times.toSorted().toReversed());
  });

  it("puts a thread first again when it has a new turn, and keeps its title", async ({ expect }) => {
    const { model, client } = await withThreads(["a", "b"]);
    const before = await readPage(client);
    await model.add([say("Again.")]);
    await client.runToEnd("a", "Another question");
    const after = await readPage(client);
    expect(idsOf(after)).toEqual(["a", "b"]);
    expect(after.threads[0]?.title).toBe(before.threads[1]?.title);
  });

  it("names the run that is live, the first of those that are open, and none when all have ended", async ({
    expect,
  }) => {
    const model = await scriptModel(inject("modelUrl"), [holdBefore(say("One.")), say("Two.")]);
    const client = somebody();
    const first = await client.startTurn("t", model.prompt("1"));
    const second = await client.startTurn("t", model.prompt("2"));
    expect((await readPage(client)).threads[0]?.activeRunId).toBe(first.runId);
    await model.release();
    await client.events(first.events);
    await client.events(second.events);
    expect((await readPage(client)).threads[0]?.activeRunId).toBeNull();
  });

  it("names a run that waits for a person, and that it waits", async ({ expect }) => {
    const model = await scriptModel(inject("modelUrl"), [callTool("add-stock", { symbol: "AAPL" })]);
    const client = somebody();
    const turn = await client.startTurn("t", model.prompt("Add"));
    await client.eventsUntil(turn.events, "run_status");
    expect((await readPage(client)).threads).toMatchObject([{ activeRunId: turn.runId, status: "waiting_permission" }]);
  });

  it("comes in pages of 50 that lose and double nothing, also when a thread is added in between", async ({
    expect,
  }) => {
    const ids = Array.from({ length: 55 }, (_, nth) => `t${nth}`);
    const model = await scriptModel(inject("modelUrl"), answers(56));
    const client = somebody();
    await Promise.all(ids.map((threadId) => client.runToEnd(threadId, model.prompt("Hello"))));
    const first = await readPage(client);
    expect(first.threads).toHaveLength(50);
    await client.runToEnd("later", model.prompt("Hello"));
    const second = await readPage(client, `?cursor=${encodeURIComponent(String(first.nextCursor))}`);
    expect(second.nextCursor).toBeNull();
    expect(idsOf(first, second).toSorted()).toEqual(ids.toSorted());
  });

  it.for(["x", "e30", "%00", "bnVsbA", "WzEsMl0"])(
    "refuses the cursor %s, which is not its own",
    async (cursor, { expect }) => {
      const { status } = await somebody().ask("GET", `${PATH}?cursor=${cursor}`);
      expect(status).toBe(400);
    },
  );

  it("has no thread of anybody else", async ({ expect }) => {
    await withThreads(["a"]);
    const { client } = await withThreads(["b"]);
    expect(idsOf(await readPage(client))).toEqual(["b"]);
  });
});

describe("a thread's title", () => {
  it("can be changed, and stays so after a turn", async ({ expect }) => {
    const { model, client } = await withThreads(["t"]);
    const answer = await client.ask("PATCH", client.threadPath("t"), { title: "Mine" });
    expect(answer).toEqual({ status: 200, body: { threadId: "t", title: "Mine" } });
    await model.add([say("Hi.")]);
    await client.runToEnd("t", "Another question");
    expect((await readPage(client)).threads[0]?.title).toBe("Mine");
  });

  it("has whole characters", async ({ expect }) => {
    const { client } = await withThreads(["t"]);
    const answer = await client.ask("PATCH", client.threadPath("t"), { title: "Half \ud83d" });
    expect(answer).toEqual({ status: 200, body: { threadId: "t", title: "Half \ufffd" } });
    expect((await readPage(client)).threads[0]?.title).toBe("Half \ufffd");
  });

  it("may have 1 to 200 characters", async ({ expect }) => {
    const { client } = await withThreads(["t"]);
    const path = client.threadPath("t");
    expect(await client.ask("PATCH", path, { title: "t" })).toMatchObject({ status: 200 });
    expect(await client.ask("PATCH", path, { title: "t".repeat(200) })).toMatchObject({ status: 200 });
  });

  it.for([{ title: "" }, { title: "t".repeat(201) }, { title: 1 }, { title: null }, {}, [], "title", null])(
    "cannot be %o",
    async (body, { expect }) => {
      const { client } = await withThreads(["t"]);
      const before = await readPage(client);
      const answer = await client.ask("PATCH", client.threadPath("t"), body);
      expect(answer).toEqual({ status: 400, body: { error: expect.stringContaining("title") } });
      expect(await readPage(client)).toEqual(before);
    },
  );
});

describe("the runs of a thread", () => {
  it("are listed with their status, oldest first", async ({ expect }) => {
    const model = await scriptModel(inject("modelUrl"), [
      say("One."),
      say("Two", { stopReason: "max_tokens" }),
      holdBefore(say("Never.")),
    ]);
    const client = somebody();
    const prompt = model.prompt("Hello");
    const first = await client.startTurn("t", prompt);
    await client.events(first.events);
    const second = await client.startTurn("t", prompt);
    await client.events(second.events);
    const third = await client.startTurn("t", prompt);
    await model.reaches(3, "held");
    const fourth = await client.startTurn("t", prompt);
    const statuses = ["completed", "incomplete", "running", "queued"];
    expect(await client.ask("GET", `${client.threadPath("t")}/runs`)).toEqual({
      status: 200,
      body: {
        runs: [first, second, third, fourth].map(({ runId, events }, nth) => ({
          ...{ runId, status: statuses[nth], createdAt: expect.stringMatching(/^\d{4}-.*Z$/), events },
          costUsd: nth < 2 ? "0.00007" : null,
        })),
        nextCursor: null,
      },
    });
  });

  it("come in pages of 200 that lose and double nothing", async ({ expect }) => {
    const { client } = await withThreads(["t"]);
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 204)
       INSERT INTO runs (run_id, owner_email, thread_id, session_id, status, created_at_ms, finished_at_ms)
       SELECT printf('00000000-0000-4000-8000-%012d', i), owner_email, thread_id, session_id, status,
         created_at_ms + i / 50, finished_at_ms
       FROM runs, n WHERE owner_email = ?`,
    )
      .bind(client.email)
      .run();
    const path = `${client.threadPath("t")}/runs`;
    const first = RunPage.parse((await client.ask("GET", path)).body);
    const second = RunPage.parse((await client.ask("GET", `${path}?cursor=${first.nextCursor}`)).body);
    expect([first.runs.length, second.runs.length, second.nextCursor]).toEqual([200, 5, null]);
    expect(new Set([...first.runs, ...second.runs].map(({ runId }) => runId)).size).toBe(205);
  });

  it("are those of this thread only", async ({ expect }) => {
    const { client } = await withThreads(["a", "b"]);
    const { body } = await client.ask("GET", `${client.threadPath("a")}/runs`);
    expect(body).toMatchObject({ runs: [{ status: "completed" }] });
    expect(Object(body).runs).toHaveLength(1);
  });
});

describe("a thread id in a path", () => {
  it.for([
    "a/b/c",
    "100%",
    "%2F",
    "ü 💥",
    " spaces ",
    "a?b#c",
    "a+b",
    "runs",
    "rules",
    "'; --",
    "a\u0000b",
    "t".repeat(200),
  ])("is percent-encoded and may be %s", async (threadId, { expect }) => {
    const { client } = await withThreads([threadId, "other"]);
    const path = client.threadPath(threadId);
    expect(idsOf(await readPage(client))).toEqual(["other", threadId]);
    expect(await client.ask("GET", `${path}/runs`)).toMatchObject({ body: { runs: [{ status: "completed" }] } });
    expect(await client.ask("GET", `${path}/rules`)).toEqual({ status: 200, body: { rules: [] } });
    const renamed = { status: 200, body: { threadId, title: "New" } };
    expect(await client.ask("PATCH", path, { title: "New" })).toEqual(renamed);
    expect(await client.ask("DELETE", path)).toEqual({ status: 200, body: { ok: true } });
    expect(idsOf(await readPage(client))).toEqual(["other"]);
  });
});
