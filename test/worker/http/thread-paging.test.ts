/** Pages of threads and of a thread's runs, over any ids and times, against a plain model (api.md §2). */
import { env } from "cloudflare:test";
import fc from "fast-check";
import { it } from "vitest";
import { z } from "zod";
import { answerOf } from "../../support/workerd/answer.ts";
import { runClient } from "../../support/workerd/run-client.ts";

/** The same lists in every run. */
const SEED = 7;

/** Pages hold 50 threads and 200 runs. */
const [THREADS, RUNS] = [160, 450] as const;

const Page = z.object({
  threads: z.array(z.object({ threadId: z.string() })).default([]),
  runs: z.array(z.object({ runId: z.string() })).default([]),
  nextCursor: z.string().nullable(),
});

/** Characters that orders disagree about: case, accents, what cursors and addresses escape, and beyond 16 bits. */
const threadId = fc.string({
  unit: fc.constantFrom("a", "B", "b", "é", "/", " ", "%", '"', "漢", "\uffee", "😀"),
  minLength: 1,
  maxLength: 6,
});

/** Few, so that many rows share one. */
const timeMs = fc.integer({ min: 1_000, max: 1_006 });

/** Somebody new, and all pages of a list of theirs; `between` happens behind each page. */
const aReader = () => {
  const email = `${crypto.randomUUID()}@example.com`;
  const { request } = runClient(email);
  let pages = 0;
  const readAll = async (
    path: string,
    between: () => Promise<unknown> = async () => {},
    order = "",
  ): Promise<string[]> => {
    const found: string[] = [];
    pages = 0;
    for (let cursor: string | null = ""; cursor !== null; pages += 1) {
      const answer = await answerOf(await request(`${path}?order=${order}&cursor=${cursor}`, { method: "GET" }));
      const page = Page.parse(answer.body);
      found.push(...page.threads.map((thread) => thread.threadId), ...page.runs.map((run) => run.runId));
      cursor = page.nextCursor;
      await between();
    }
    return found;
  };
  return { email, readAll, pageCount: () => pages };
};

const insertRun = (email: string, id: string, createdAtMs: number) =>
  env.DB.prepare(
    `INSERT INTO runs (run_id, owner_email, thread_id, session_id, status, created_at_ms, finished_at_ms)
      VALUES (?, ?, 't', 's', 'completed', ?, 2000)`,
  ).bind(id, email, createdAtMs);

const insertThread = (email: string, id: string, updatedAtMs: number) =>
  env.DB.prepare("INSERT INTO threads VALUES (?1, ?2, 'A title', ?3, ?3)").bind(email, id, updatedAtMs);

const utf8 = new TextEncoder();

/** SQLite compares texts by their bytes. */
const compareBytes = (a: string, b: string): number => {
  const [left, right] = [utf8.encode(a), utf8.encode(b)];
  const place = left.findIndex((byte, index) => byte !== right[index]);
  return place < 0 ? left.length - right.length : (left[place] ?? 0) - (right[place] ?? -1);
};

const threadRows = fc.uniqueArray(fc.tuple(threadId, timeMs), {
  selector: ([id]) => id,
  minLength: THREADS,
  maxLength: THREADS,
});

it("threads come newest first, each once, whatever their ids and times", async ({ expect }) => {
  await fc.assert(
    fc.asyncProperty(threadRows, async (rows) => {
      const ann = aReader();
      await env.DB.batch(rows.map(([id, time]) => insertThread(ann.email, id, time)));
      const expected = rows.toSorted(([a, at], [b, bt]) => bt - at || compareBytes(b, a)).map(([id]) => id);
      expect(await ann.readAll("/_framework/threads")).toEqual(expected);
    }),
    { numRuns: 8, seed: SEED },
  );
});

it("threads that get a turn between two pages take none of the others along", async ({ expect }) => {
  await fc.assert(
    fc.asyncProperty(
      threadRows,
      fc.array(fc.nat(THREADS - 1), { minLength: 1, maxLength: 9 }),
      async (rows, places) => {
        const bea = aReader();
        await env.DB.batch(rows.map(([id, time]) => insertThread(bea.email, id, time)));
        const touched = new Set(places.map((place) => rows[place]?.[0] ?? ""));
        const touch = env.DB.prepare("UPDATE threads SET updated_at_ms = 9000 WHERE owner_email = ? AND thread_id = ?");
        const found = await bea.readAll("/_framework/threads", () =>
          env.DB.batch([...touched].map((id) => touch.bind(bea.email, id))),
        );
        const left = rows.map(([id]) => id).filter((id) => !touched.has(id));
        expect(new Set(found).size).toBe(found.length);
        expect(new Set(found.filter((id) => !touched.has(id)))).toEqual(new Set(left));
      },
    ),
    { numRuns: 8, seed: SEED },
  );
});

/** Gives some of the runs to another thread, of which this one is a branch. */
const inheritSome = (email: string) =>
  [
    `INSERT INTO run_marks (id, owner_email, thread_id, run_id, inherited_by, is_replaced)
      SELECT run_id || ':t', owner_email, 't', run_id, 's', 0 FROM runs WHERE owner_email = ? AND run_id < '6'`,
    "UPDATE runs SET thread_id = 'from' WHERE owner_email = ? AND run_id < '6'",
  ].map((text) => env.DB.prepare(text).bind(email));

it("a thread's runs come oldest or newest first, its own and inherited ones, each once, whatever their times", async ({
  expect,
}) => {
  const times = fc.array(timeMs, { minLength: RUNS, maxLength: RUNS });
  await fc.assert(
    fc.asyncProperty(times, async (createdAt) => {
      const cas = aReader();
      const rows = createdAt.map((time) => ({ id: crypto.randomUUID(), time }));
      await env.DB.batch([
        insertThread(cas.email, "t", 1_000),
        ...rows.map(({ id, time }) => insertRun(cas.email, id, time)),
        ...inheritSome(cas.email),
      ]);
      const expected = rows.toSorted((a, b) => a.time - b.time || compareBytes(a.id, b.id)).map(({ id }) => id);
      expect(await cas.readAll("/_framework/threads/t/runs")).toEqual(expected);
      const newestFirst = await cas.readAll("/_framework/threads/t/runs", undefined, "newest");
      expect(newestFirst).toEqual(expected.toReversed());
    }),
    { numRuns: 4, seed: SEED },
  );
});

it.for([
  [50, 1],
  [51, 2],
] as const)("%i threads are %i pages", async ([count, pages], { expect }) => {
  const dan = aReader();
  await env.DB.batch(Array.from({ length: count }, (_, nth) => insertThread(dan.email, `t${nth}`, 1_000)));
  expect(await dan.readAll("/_framework/threads")).toHaveLength(count);
  expect(dan.pageCount()).toBe(pages);
});

it.for([
  [200, 1],
  [201, 2],
] as const)("%i runs are %i pages", async ([count, pages], { expect }) => {
  const eve = aReader();
  const runs = Array.from({ length: count }, () => insertRun(eve.email, crypto.randomUUID(), 1_000));
  await env.DB.batch([insertThread(eve.email, "t", 1_000), ...runs]);
  expect(await eve.readAll("/_framework/threads/t/runs")).toHaveLength(count);
  expect(eve.pageCount()).toBe(pages);
});
