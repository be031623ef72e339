/** An edit whose run is stopped before anything is written: that it changed nothing is known. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { ToolContext } from "../../../../src/harness/tools/tool.ts";
import { workspaceTools } from "../../../../src/harness/tools/workspace-tools.ts";
import { openHostWorkspace } from "../../../support/host-workspace.ts";

type Keep = NonNullable<ToolContext["keepBefore"]>;

/** What becomes of an edit that was agreed to, whose run is stopped while the file before it is kept, and of its file. */
const stoppedWhile = async (keep: (stop: () => void) => ReturnType<Keep>) => {
  const host = await openHostWorkspace();
  onTestFinished(() => host.close());
  const file = join(host.dir, "a");
  writeFileSync(file, "old\n");
  const tool = workspaceTools(async () => host.workspace).find(({ name }) => name === "write_file");
  const call = tool?.prepare({ path: "a", content: "new\n" }) ?? { problem: "There is no such tool." };
  if ("problem" in call) throw new Error(call.problem);
  const shown = await call.propose?.();
  if (shown === undefined) throw new Error("Nothing was shown.");
  const stopping = new AbortController();
  const result = await call.run({
    ...{ callKey: "run:r1:1-0", signal: stopping.signal, shown, output: () => undefined },
    keepBefore: () => keep(() => stopping.abort()),
  });
  return { result, content: readFileSync(file, "utf8") };
};

const NOTHING = { result: "no_effect", content: "old\n" };

it("changes nothing where its attempt counts no more once the file is kept", async () => {
  const superseded = async (stop: () => void): Promise<void> => {
    stop();
    throw new Error("Superseded");
  };
  expect(await stoppedWhile(superseded)).toEqual(NOTHING);
});

it("does not wait for a file that is never kept", async () => {
  const never = (stop: () => void): Promise<void> => {
    stop();
    return new Promise(() => undefined);
  };
  expect(await stoppedWhile(never)).toEqual(NOTHING);
});

it("changes nothing where the file was kept in the moment of the stop", async () => {
  expect(await stoppedWhile(async (stop) => stop())).toEqual(NOTHING);
});

it("fails where the file could not be kept and nobody has stopped the run", async () => {
  await expect(stoppedWhile(() => Promise.reject(new Error("Lost")))).rejects.toThrow("Lost");
});
