/** Searches run in workers: they end in time, and hold up nobody. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { TreeWorkers } from "../../../src/workspace-server/tree/tree-workers.ts";
import { openRoot } from "../../../src/workspace-server/workspace-root.ts";

const NEVER = new AbortController().signal;

/** Ten million characters: to read them alone takes far longer than the shortest time limit below. */
const SLOW = { path: "slow.txt", pattern: "(a|b|c|d|e?){200}[xyz]", context: 0, limit: 10 };
const QUICK = { path: "quick.txt", pattern: "needle", context: 0, limit: 10 };

let parent: string;
let dir: string;
const opened: TreeWorkers[] = [];
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "tally-workers-"));
  dir = join(parent, "root");
  for (const path of [dir, join(parent, "state")]) mkdirSync(path);
  writeFileSync(join(dir, "quick.txt"), "needle\n");
  writeFileSync(join(dir, "slow.txt"), `${"abcde".repeat(390)}\n`.repeat(5_000));
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

it("a slow pattern holds up neither the server nor another search", async () => {
  const trees = await openTrees();
  const stop = new AbortController();
  const slow = trees.search(SLOW, stop.signal);
  expect((await trees.search(QUICK, NEVER)).lines).toHaveLength(1);
  stop.abort();
  expect(await slow).toEqual({ lines: [], isCut: true });
});

it("a search that nobody waits for any more ends, and the next has its turn", async () => {
  const trees = await openTrees();
  const stop = new AbortController();
  const slow = [trees.search(SLOW, stop.signal), trees.search(SLOW, stop.signal)];
  const waiting = trees.search(QUICK, NEVER);
  const left = trees.search(QUICK, stop.signal);
  stop.abort();
  expect(await left).toEqual({ lines: [], isCut: true });
  expect((await waiting).lines).toHaveLength(1);
  await Promise.all(slow);
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

it("many searches one after the other use the same workers", async () => {
  const trees = await openTrees();
  const found = await Promise.all(Array.from({ length: 20 }, () => trees.search(QUICK, NEVER)));
  const later = await trees.search(QUICK, NEVER);
  expect([...found, later].map(({ lines }) => lines.length)).toEqual(Array.from({ length: 21 }, () => 1));
});

it("closing ends what runs and what waits", async () => {
  const trees = await openTrees();
  const searches = [1, 2, 3].map(() => trees.search(SLOW, NEVER));
  await trees.close();
  expect(await Promise.all(searches)).toEqual([1, 2, 3].map(() => ({ lines: [], isCut: true })));
});
