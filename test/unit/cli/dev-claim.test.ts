/** How a dev command takes its directory: the record of an earlier one may be of any state. */
import fs, { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { claimDirectory, readDevRecord } from "../../../src/cli/dev/leftovers.ts";

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
  expect(readDevRecord(dir)).toEqual(OWN);
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
  expect(readDevRecord(dir)).toEqual(OWN);
  expect(readdirSync(dir)).toEqual(["dev-processes"]);
});

it("a directory that cannot be written is refused with its reason and what to do", async () => {
  await expect(claimDirectory("/sys")).rejects.toMatchObject({
    name: "StartRefusal",
    message: expect.stringMatching(/^--persist-to: \/sys cannot be written \(E[A-Z]+\)\. Name another directory\.$/),
  });
});
