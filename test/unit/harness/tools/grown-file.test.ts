/** An edit that makes a file larger: up to the size at which files are compared by their content. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { MAX_CONTENT_BYTES } from "../../../../src/harness/tools/found-file.ts";
import { workspaceTools } from "../../../../src/harness/tools/workspace-tools.ts";
import { openHostWorkspace } from "../../../support/host-workspace.ts";

/** What is shown of an edit that replaces the first character of a file that is one byte short of the limit. */
const proposed = async (newText: string) => {
  const host = await openHostWorkspace();
  onTestFinished(() => host.close());
  writeFileSync(join(host.dir, "a"), `x\n${"a".repeat(MAX_CONTENT_BYTES - 3)}`);
  const tool = workspaceTools(async () => host.workspace).find(({ name }) => name === "edit_file");
  const call = tool?.prepare({ path: "a", oldText: "x", newText }) ?? { problem: "There is no such tool." };
  if ("problem" in call) throw new Error(call.problem);
  return await call.propose?.();
};

it("is shown where the file then has exactly that size", async () => {
  expect(await proposed("\u00e9")).toMatchObject({ subject: { type: "edit", path: "a" } });
});

it("is refused where the file would have a byte more, so that nobody could tell whether it was written", async () => {
  await expect(proposed("\u20ac")).rejects.toThrow("a would become too large");
});
