/** Trees that are large, closed, or change under one's hands: clear answers, and memory that does not follow their size. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { readdir, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { startWorkspaceProgram, type WorkspaceProgram } from "../../support/workspace-program.ts";

const NEVER = new AbortController().signal;
const MEGABYTE = 1_000_000;

let parent: string;
let dir: string;
let stateDir: string;
let program: WorkspaceProgram;
beforeEach(async () => {
  parent = mkdtempSync(join(tmpdir(), "tally-hostile-"));
  [dir, stateDir] = [join(parent, "root"), join(parent, "state")];
  for (const path of [dir, stateDir]) mkdirSync(path);
  program = await startWorkspaceProgram(dir, stateDir);
});
afterEach(async () => {
  await program.stop();
  rmSync(parent, { recursive: true, force: true });
});

const search = (pattern: string, path = ".") =>
  program.workspace.search({ path, pattern, context: 0, limit: 10 }, NEVER);

describe("a directory that may not be read", () => {
  beforeEach(() => {
    mkdirSync(join(dir, "closed"));
    writeFileSync(join(dir, "closed/secret.txt"), "needle");
    writeFileSync(join(dir, "open.txt"), "needle\n");
    chmodSync(join(dir, "closed"), 0o700);
    execFileSync("chmod", ["000", join(dir, "closed")]);
  });

  it("is passed over by lists and searches of what is above it", async () => {
    const { entries } = await program.workspace.list({ path: ".", limit: 10 });
    expect(entries.map(({ path }) => path)).toEqual(["open.txt"]);
    expect((await search("needle")).lines.map(({ path }) => path)).toEqual(["open.txt"]);
  });

  it("is refused by name, and so is what is in it", async () => {
    const refused = { name: "WorkspaceError", code: "refused", message: expect.stringContaining("closed") };
    await expect(program.workspace.list({ path: "closed", limit: 10 })).rejects.toMatchObject(refused);
    await expect(search("needle", "closed")).rejects.toMatchObject(refused);
    const read = program.workspace.read("closed/secret.txt", { offset: 0, maxBytes: 10 });
    await expect(read).rejects.toMatchObject(refused);
    await expect(program.workspace.write("closed/new.txt", new Uint8Array(1))).rejects.toMatchObject(refused);
  });
});

it("a file that may not be read is refused by name and passed over by a search of many", async () => {
  execFileSync("sh", ["-c", 'for i in $(seq 1 300); do echo line > "f$i.txt"; done; echo needle > z.txt'], {
    cwd: dir,
  });
  writeFileSync(join(dir, "closed.txt"), "needle");
  chmodSync(join(dir, "closed.txt"), 0o000);
  expect((await search("needle")).lines.map(({ path }) => path)).toEqual(["z.txt"]);
  const read = program.workspace.read("closed.txt", { offset: 0, maxBytes: 10 });
  await expect(read).rejects.toMatchObject({ code: "refused", message: expect.stringContaining("closed.txt") });
});

it("a file that the system lists and does not read, for a reason of its own, is passed over by a search", async () => {
  const device = "/sys/devices/virtual/net/lo";
  expect(() => readFileSync(join(device, "speed"))).toThrow("EINVAL");
  mkdirSync(join(parent, "other-state"));
  const served = await startWorkspaceProgram(device, join(parent, "other-state"));
  onTestFinished(served.stop);
  const query = { path: ".", pattern: "INTERFACE=lo", context: 0, limit: 10 };
  expect((await served.workspace.search(query, NEVER)).lines.map(({ path }) => path)).toEqual(["uevent"]);
});

describe("memory", () => {
  it("does not follow the size of a file that is read in pieces, listed and searched", async () => {
    writeFileSync(join(dir, "large.txt"), Buffer.alloc(150 * MEGABYTE, "x"));
    writeFileSync(join(dir, "sparse.txt"), "x".repeat(10_000));
    truncateSync(join(dir, "sparse.txt"), 50_000 * MEGABYTE);
    await search("warm");
    const before = program.peakMemory();
    const { bytes } = await program.workspace.read("large.txt", { offset: 149 * MEGABYTE, maxBytes: 2 * MEGABYTE });
    expect(bytes.byteLength).toBe(MEGABYTE);
    expect(await search("needle")).toEqual({ lines: [], isCut: true, tooLarge: "large.txt" });
    expect((await program.workspace.list({ path: ".", limit: 10 })).entries).toHaveLength(2);
    expect(program.peakMemory() - before).toBeLessThan(100 * MEGABYTE);
  }, 60_000);

  it("does not follow the output of a command", async () => {
    await search("warm");
    const before = program.peakMemory();
    const flood = {
      callId: "flood",
      command: "head -c 300000000 /dev/zero | tr '\\0' x",
      dir: ".",
      timeoutMs: 600_000,
    };
    const { stdout, isCut } = await program.workspace.run(flood, () => undefined, NEVER);
    expect({ isCut, isBounded: stdout.length < 1_100_000 }).toEqual({ isCut: true, isBounded: true });
    expect(program.peakMemory() - before).toBeLessThan(200 * MEGABYTE);
  }, 60_000);

  it("holds the names of 100,000 files and little more", async () => {
    const script =
      "for d in $(seq 1 100); do mkdir $d; (cd $d; seq 1 1000 | xargs touch); done; echo needle | tee 1/1 > 57/573";
    execFileSync("sh", ["-c", script], { cwd: dir });
    await search("warm", "1");
    const before = program.peakMemory();
    const found = await search("needle");
    const paths = found.lines.map(({ path }) => path);
    expect(paths[0]).toBe("1/1");
    // A search that has taken its twenty seconds says so, and what it holds is the same.
    expect(found.isCut || paths[1] === "57/573").toBe(true);
    const { entries, isCut } = await program.workspace.list({ path: ".", limit: 1_000 });
    expect({ count: entries.length, isCut }).toEqual({ count: 1_000, isCut: true });
    expect(program.peakMemory() - before).toBeLessThan(150 * MEGABYTE);
  }, 60_000);
});

it("ignore rules that are a link to an endless device, or a pipe, hang and fill nothing", async () => {
  mkdirSync(join(dir, "a"));
  symlinkSync("/dev/zero", join(dir, ".gitignore"));
  execFileSync("sh", ["-c", "mkfifo a/.gitignore"], { cwd: dir });
  execFileSync("sh", ["-c", 'for i in $(seq 1 300); do echo line > "a/f$i.txt"; done; echo needle > z.txt'], {
    cwd: dir,
  });
  expect(await search("needle")).toMatchObject({ lines: [{ path: "z.txt" }], isCut: false });
});

/** What searches find that begin one after the other until `done`: one of them runs at every moment before. */
const searchUntil = async (done: Promise<void>, pattern: string) => {
  let isDone = false;
  const over = done.finally(() => {
    isDone = true;
  });
  const found: string[] = [];
  while (!isDone) {
    const { lines } = await program.workspace.search({ path: ".", pattern, context: 0, limit: 5_000 }, NEVER);
    found.push(...lines.map(({ text }) => text));
  }
  await over;
  return found;
};

/** All but the first, one by one, so that a search has listed files that are gone when it comes to read them. */
const deleteFromTheEnd = async () => {
  for (const name of (await readdir(dir)).sort().slice(1).reverse()) await unlink(join(dir, name));
};

it("searches go on while their files are deleted", async () => {
  execFileSync("sh", ["-c", 'for i in $(seq 1 3000); do echo needle > "f$i.txt"; done'], { cwd: dir });
  const found = await searchUntil(deleteFromTheEnd(), "needle");
  expect([...new Set(found)]).toEqual(["needle"]);
  const { entries } = await program.workspace.list({ path: ".", limit: 10 });
  expect(entries.map(({ path }) => path)).toEqual(["f1.txt"]);
});
