/** Searches run in workers: they end in time, and hold up nobody. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { findRipgrep } from "../../../src/workspace-server/search/ripgrep.ts";
import { IdleWorkers } from "../../../src/workspace-server/tree/idle-workers.ts";
import { TreeWorkers } from "../../../src/workspace-server/tree/tree-workers.ts";
import { openRoot } from "../../../src/workspace-server/workspace-root.ts";
import { randomOf } from "../../support/random.ts";

const NEVER = new AbortController().signal;

/**
 * Takes half a minute: which of the last 200 letters were an a is different at each place, so an engine learns nothing from what it has seen.
 */
const SLOW = { path: "slow.txt", pattern: "a[ab]{200}d", context: 0, limit: 10 };
/** Two million letters, the same in each run. */
const letters = randomOf(1);
const SLOW_LINES = Array.from({ length: 1_000 }, () =>
  Array.from({ length: 2_000 }, () => (letters() < 0.5 ? "a" : "b")).join(""),
);
const QUICK = { path: "quick.txt", pattern: "needle", context: 0, limit: 10 };

let parent: string;
let dir: string;
const opened: TreeWorkers[] = [];
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "tally-workers-"));
  dir = join(parent, "root");
  for (const path of [dir, join(parent, "state")]) mkdirSync(path);
  writeFileSync(join(dir, "quick.txt"), "needle\n");
  writeFileSync(join(dir, "slow.txt"), SLOW_LINES.join("\n"));
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((trees) => trees.close()));
  rmSync(parent, { recursive: true, force: true });
});

const openTrees = async (options: ConstructorParameters<typeof TreeWorkers>[1] = {}): Promise<TreeWorkers> => {
  const trees = new TreeWorkers(await openRoot(dir, join(parent, "state")), options);
  opened.push(trees);
  return trees;
};

/** Workers that tell who was taken: one for each search that runs. */
class ToldWorkers extends IdleWorkers {
  readonly taken: Worker[] = [];

  override take(): Worker {
    const worker = super.take();
    this.taken.push(worker);
    return worker;
  }
}

const openTold = async (options: ConstructorParameters<typeof TreeWorkers>[1] = {}) => {
  const workers = new ToldWorkers();
  onTestFinished(() => workers.close());
  return { trees: await openTrees({ ...options, workers }), taken: workers.taken };
};

const ENDED = { lines: [], isCut: true };

it("a slow pattern holds up neither the server nor another search", async () => {
  const trees = await openTrees();
  const stop = new AbortController();
  const slow = trees.search(SLOW, stop.signal);
  expect((await trees.search(QUICK, NEVER)).lines).toHaveLength(1);
  stop.abort();
  expect(await slow).toEqual(ENDED);
});

it("a search that nobody waits for any more ends, and the next has its turn", async () => {
  const { trees, taken } = await openTold();
  const stop = new AbortController();
  const slow = [trees.search(SLOW, stop.signal), trees.search(SLOW, stop.signal)];
  const waiting = trees.search(QUICK, NEVER);
  const left = trees.search(QUICK, stop.signal);
  // Until here, places are given.
  await setImmediate();
  expect(taken).toHaveLength(2);
  stop.abort();
  expect(await left).toEqual(ENDED);
  expect((await waiting).lines).toHaveLength(1);
  expect(await Promise.all(slow)).toEqual([ENDED, ENDED]);
  expect(taken).toHaveLength(3);
});

it("a pattern that is slower than the time limit is refused with the remedy", async () => {
  const trees = await openTrees({ timeLimitMs: 10, stopGraceMs: 0 });
  const refused = { code: "too_large", message: expect.stringMatching(/simpler pattern/) };
  await expect(trees.search(SLOW, NEVER)).rejects.toMatchObject(refused);
});

it("a search that runs out of time between two files returns what it has found, cut", async () => {
  const trees = await openTrees({ timeLimitMs: 0, stopGraceMs: 60_000 });
  expect(await trees.search({ ...QUICK, path: "." }, NEVER)).toMatchObject({ isCut: true });
  expect(await trees.list({ path: ".", limit: 10 }, NEVER)).toMatchObject({ isCut: true });
});

it("a ripgrep that says nothing is done without", async () => {
  execFileSync("sh", ["-c", 'for i in $(seq 1 300); do echo line > "f$i.txt"; done; echo needle > z.txt'], {
    cwd: dir,
  });
  const trees = await openTrees({ ripgrep: async () => undefined });
  const { lines } = await trees.search({ ...QUICK, path: "." }, NEVER);
  expect(lines.map(({ path }) => path)).toEqual(["quick.txt", "z.txt"]);
});

it("a ripgrep that has no place for its output is done without", async () => {
  for (let file = 0; file < 300; file += 1) writeFileSync(join(dir, `f${file}.txt`), "needle\n");
  const ripgrep = await findRipgrep(process.env.PATH ?? "", dir);
  expect(ripgrep).toBeDefined();
  const trees = await openTrees({ ripgrep });
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("TMPDIR", join(parent, "missing"));
  expect((await trees.search({ ...QUICK, path: ".", limit: 1_000 }, NEVER)).lines).toHaveLength(301);
});

it("files that are gone when they are read are passed over", async () => {
  for (let file = 0; file < 300; file += 1) writeFileSync(join(dir, `f${file}.txt`), "needle\n");
  // It is asked when all names are known and few of the files have been read.
  const ripgrep = async () => {
    for (const name of readdirSync(dir).filter((one) => one.startsWith("f"))) rmSync(join(dir, name));
    return undefined;
  };
  const trees = await openTrees({ ripgrep });
  const { lines, isCut } = await trees.search({ ...QUICK, path: ".", limit: 1_000 }, NEVER);
  expect(isCut).toBe(false);
  expect(lines.length).toBeLessThan(100);
  expect(lines.at(-1)?.path).toBe("quick.txt");
});

it("a search that waits for its place until the call has no time left is refused with the remedy", async () => {
  const [stop, late] = [new AbortController(), new AbortController()];
  const limits = [NEVER, NEVER, late.signal];
  const { trees, taken } = await openTold({ callLimit: () => limits.shift() ?? NEVER });
  const slow = [trees.search(SLOW, stop.signal), trees.search(SLOW, stop.signal)];
  const waiting = trees.search(QUICK, NEVER);
  // Until here, places are given.
  await setImmediate();
  late.abort();
  const refused = { code: "refused", message: expect.stringMatching(/fewer at once/) };
  await expect(waiting).rejects.toMatchObject(refused);
  stop.abort();
  expect(await Promise.all(slow)).toEqual([ENDED, ENDED]);
  expect((await trees.search(QUICK, NEVER)).lines).toHaveLength(1);
  // None for the call that was refused.
  expect(taken).toHaveLength(3);
});

it("a search that runs ends when its call has no time left, too", async () => {
  const late = new AbortController();
  const { trees, taken } = await openTold({
    callLimit: () => late.signal,
    timeLimitMs: 600_000,
    stopGraceMs: 0,
  });
  const slow = trees.search(SLOW, NEVER);
  await setImmediate();
  expect(taken).toHaveLength(1);
  late.abort();
  await expect(slow).rejects.toMatchObject({ code: "too_large", message: expect.stringMatching(/simpler pattern/) });
});

it("many searches one after the other use the same workers", async () => {
  const { trees, taken } = await openTold();
  const found = await Promise.all(Array.from({ length: 20 }, () => trees.search(QUICK, NEVER)));
  const later = await trees.search(QUICK, NEVER);
  expect([...found, later].map(({ lines }) => lines.length)).toEqual(Array.from({ length: 21 }, () => 1));
  expect(taken).toHaveLength(21);
  expect(new Set(taken).size).toBe(2);
});

it("closing ends what runs and what waits", async () => {
  const { trees, taken } = await openTold({ stopGraceMs: 0 });
  const searches = [1, 2, 3].map(() => trees.search(SLOW, NEVER));
  await setImmediate();
  expect(taken).toHaveLength(2);
  await trees.close();
  expect(taken.map(({ threadId }) => threadId)).toEqual([-1, -1]);
  expect(await Promise.all(searches)).toEqual([ENDED, ENDED, ENDED]);
});
