/** The directory of the dev command's data: whose it is, and where it may be. */
import fs, { mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { makeStateDirectory, refuseStateAround } from "../../../src/cli/dev/state-directory.ts";

const makeDir = (): string => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "tally-state-")));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
};

it("a new one is closed to other users of the machine", () => {
  const path = join(makeDir(), "new/state");
  makeStateDirectory(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

it("is told apart from the workspace by the names on disk, where those have no letter case", () => {
  const workspace = makeDir();
  const typed = workspace.toUpperCase();
  const real = fs.realpathSync.native;
  const resolved = vi.spyOn(fs.realpathSync, "native");
  resolved.mockImplementation(((path: string) => (path === typed ? workspace : real(path))) as typeof real);
  onTestFinished(() => resolved.mockRestore());
  expect(() => refuseStateAround(workspace, typed)).toThrow(
    `--persist-to: ${typed} is the agent's workspace or contains it. Name a directory next to the workspace or below it.`,
  );
});
