/** How a dev command takes its directory: the record of an earlier one may be of any state. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { claimDirectory, readDevRecord } from "../../../src/cli/dev/leftovers.ts";

it.each([
  ["there is none", undefined],
  ["it is empty, as after a loss of power", ""],
  // No system gives out such a number.
  ["its process is gone", "999999999 999999999\n"],
])("a directory is taken with the own record when %s", async (_, left) => {
  const dir = mkdtempSync(join(tmpdir(), "tally-claim-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  if (left !== undefined) writeFileSync(join(dir, "dev-processes"), left);
  await claimDirectory(dir);
  expect(readDevRecord(dir)).toEqual({ devPid: process.pid, wranglerGroupId: process.pid });
  expect(readdirSync(dir)).toEqual(["dev-processes"]);
});
