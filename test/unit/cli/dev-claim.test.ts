/** How a dev command takes its directory: the record of an earlier one may be of any state. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs, { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { claimDirectory, readDevRecord } from "../../../src/cli/dev/leftovers.ts";
import { isGroupRunning } from "../../../src/process/process-group.ts";
import { PACKAGES_DIR, PROJECT_DIR } from "../../../src/process/project.ts";

/** The record of this process. */
const OWN = { devPid: process.pid, wranglerGroupId: process.pid };

const makeDir = (): string => {
  const dir = mkdtempSync(join(tmpdir(), "tally-claim-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
};

it.each([
  ["there is none", undefined],
  ["it is empty, as after a loss of power", ""],
  // No system gives out such a number.
  ["its process is gone", "999999999 999999999\n"],
])("a directory is taken with the own record when %s", async (_, left) => {
  const dir = makeDir();
  if (left !== undefined) writeFileSync(join(dir, "dev-processes"), left);
  await claimDirectory(dir);
  expect(readDevRecord(dir)).toMatchObject(OWN);
  expect(readdirSync(dir)).toEqual(["dev-processes"]);
});

it("a directory is taken where the file system has no hard links", async () => {
  const link = vi.spyOn(fs, "linkSync").mockImplementation(() => {
    throw Object.assign(new Error("EPERM: operation not permitted, link"), { code: "EPERM" });
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    link.mockRestore();
    syncBuiltinESMExports();
  });
  const dir = makeDir();
  await claimDirectory(dir);
  expect(link).toHaveBeenCalledOnce();
  expect(readDevRecord(dir)).toMatchObject(OWN);
  expect(readdirSync(dir)).toEqual(["dev-processes"]);
});

it("a directory that cannot be written is refused with its reason and what to do", async () => {
  await expect(claimDirectory("/sys")).rejects.toMatchObject({
    name: "StartRefusal",
    message: expect.stringMatching(/^--persist-to: \/sys cannot be written \(E[A-Z]+\)\. Name another directory\.$/),
  });
});

/** A dev command as a list of processes shows it. It claims a directory after leaving a record there, with its number for "me". */
const DEV = `import { writeFileSync } from "node:fs";
import { claimDirectory, readDevRecord } from ${JSON.stringify(join(PROJECT_DIR, "src/cli/dev/leftovers.ts"))};
const [, , dir, left] = process.argv;
if (left !== "") writeFileSync(dir + "/dev-processes", left.replace(/^.*/, (ids) => ids.replaceAll("me", process.pid)));
await claimDirectory(dir);
console.log(readDevRecord(dir).devPid);
process.stdin.resume();
`;

/** Starts one in a group of its own, of which the list shows a path that wrangler's has as well. */
const startDev = (dir: string, left = "") => {
  const program = join(makeDir(), "dev.ts");
  writeFileSync(program, DEV);
  const child = spawn(process.execPath, [program, dir, left, PACKAGES_DIR], { detached: true });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { pid: child.pid ?? Number.NaN, stdin: child.stdin, stdout: child.stdout, stderr: child.stderr };
};

/** The second and third line of a record of this machine, whose processes started with it. */
const AT_BOOT = `${hostname()}\n1\n1\n`;

describe("after a kill, when numbers are given out again as in a container", () => {
  it.each([
    ["its own, in a record without start times", "me me\n"],
    ["its own", `me 999999999\n${AT_BOOT}`],
    ["that of its own group", "999999999 me\n"],
  ])("a start takes a directory whose record has %s", async (_, left) => {
    const { pid, stdin, stdout, stderr } = startDev(makeDir(), left);
    stdin.end();
    expect(await Promise.all([text(stdout), text(stderr)])).toEqual([`${pid}\n`, ""]);
  });

  it("a start takes a directory whose record has another dev command's number, and ends nothing of that", async () => {
    const [dir, other] = [makeDir(), startDev(makeDir())];
    await once(other.stdout, "data");
    writeFileSync(join(dir, "dev-processes"), `${other.pid} ${other.pid}\n${AT_BOOT}`);
    await claimDirectory(dir);
    expect(readDevRecord(dir)).toMatchObject(OWN);
    expect(isGroupRunning(other.pid)).toBe(true);
  });

  it("a start is refused while the dev command that has the directory runs", async () => {
    const dir = makeDir();
    const { pid, stdout } = startDev(dir);
    await once(stdout, "data");
    await expect(claimDirectory(dir)).rejects.toThrow(`${dir} is in use by process ${pid}. Stop that process, or pass`);
    expect(readDevRecord(dir)).toMatchObject({ devPid: pid });
  });
});

it("a directory that another machine has is refused, with what to do if that is gone", async () => {
  const dir = makeDir();
  const record = join(dir, "dev-processes");
  const kept = "999999999 999999999\nanother-machine\n1\n1\n";
  writeFileSync(record, kept);
  await expect(claimDirectory(dir)).rejects.toMatchObject({
    name: "StartRefusal",
    message: `${dir} is in use by process 999999999 of the machine another-machine. Stop that process, or pass another --persist-to DIR. If it is not running any more, delete ${record}.`,
  });
  expect(readFileSync(record, "utf8")).toBe(kept);
});
