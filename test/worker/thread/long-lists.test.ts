/** What a long chat, and a person with many turns, cost D1: neither other chats nor other pages are read. */
import { env } from "cloudflare:test";
import { it } from "vitest";
import { z } from "zod";
import { OwnerEmail, RunId, ThreadId } from "../../../src/contract/ids.ts";
import { listRunsAround } from "../../../src/db/branches/run-marks.ts";
import { openDb } from "../../../src/db/db.ts";
import { answerOf } from "../../support/workerd/answer.ts";
import { runClient } from "../../support/workerd/run-client.ts";
import { startMeter } from "../cost/cost-meter.ts";

/** Many times a page, which has 200. */
const MANY = 2_000;

const Runs = z.object({ runs: z.array(z.object({ runId: z.string() })), nextCursor: z.string().nullable() });

/** Somebody with that many runs in a chat, each a millisecond after the one before it. */
const withRuns = async (counts: Readonly<Record<string, number>>) => {
  const email = `${crypto.randomUUID()}@example.com`;
  const { request } = runClient(email);
  const insertThread = env.DB.prepare("INSERT INTO threads VALUES (?1, ?2, 'A title', 1000, 1000)");
  const insertRuns = env.DB.prepare(
    `WITH RECURSIVE nth(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM nth WHERE n < ?3)
     INSERT INTO runs (run_id, owner_email, thread_id, session_id, status, created_at_ms, finished_at_ms)
     SELECT ?4 || printf('%012d', n), ?1, ?2, 's', 'completed', 1000 + n, 9000 FROM nth`,
  );
  const ids = new Map<string, (nth: number) => string>();
  for (const [threadId, count] of Object.entries(counts)) {
    const prefix = crypto.randomUUID().slice(0, -12);
    ids.set(threadId, (nth) => prefix + String(nth).padStart(12, "0"));
    await env.DB.batch([insertThread.bind(email, threadId), insertRuns.bind(email, threadId, count, prefix)]);
  }
  const meter = await startMeter();
  return {
    email,
    idOf: (threadId: string, nth: number): string => ids.get(threadId)?.(nth) ?? "",
    page: async (threadId: string, query = "") => {
      const path = `/_framework/threads/${threadId}/runs?${query}`;
      return Runs.parse((await answerOf(await request(path, { method: "GET" }))).body);
    },
    rowsRead: async () => (await meter.d1([email])).rowsRead,
  };
};

it("a chat of two turns is read without the thousands of other chats", async ({ expect }) => {
  const ann = await withRuns({ short: 2, long: MANY });
  expect((await ann.page("short")).runs).toHaveLength(2);
  expect(await ann.rowsRead()).toBeLessThan(50);
});

it("a page of a long chat is read without the other pages, in either order", async ({ expect }) => {
  const ann = await withRuns({ long: MANY });
  const newest = await ann.page("long", "order=newest");
  expect(newest.runs[0]?.runId).toBe(ann.idOf("long", MANY));
  const older = await ann.page("long", `order=newest&cursor=${newest.nextCursor}`);
  expect(older.runs[0]?.runId).toBe(ann.idOf("long", MANY - 200));
  expect(older.runs).toHaveLength(200);
  expect(await ann.rowsRead()).toBeLessThan(MANY);
});

it("going back in a long chat reads each of its turns once, and none of other chats", async ({ expect }) => {
  const ann = await withRuns({ long: MANY, other: MANY });
  const owner = OwnerEmail.parse(ann.email);
  const around = (runId: string) => listRunsAround(openDb(env.DB), owner, ThreadId.parse("long"), RunId.parse(runId));
  const runs = await around(ann.idOf("long", 1_500));
  expect(await ann.rowsRead()).toBeLessThan(1.5 * MANY);
  expect(runs).toHaveLength(MANY);
  expect(runs.filter(({ isBefore }) => isBefore)).toHaveLength(1_499);
  expect(await around(ann.idOf("other", 1))).toEqual([]);
});
