/** What a person is shown of an edit is what the agent SDK writes. `agent-sdk/edits.test.ts` holds the real one to the same cases. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { previewEdit } from "../../../src/harness-host/agent/edit-preview.ts";
import { contentState, MAX_HASHED_BYTES } from "../../../src/workspace/file-state.ts";
import { openRoot, type WorkspaceRoot } from "../../../src/workspace-server/workspace-root.ts";
import { EDIT_CASES } from "../../support/agent-sdk/edit-cases.ts";

let root: WorkspaceRoot;
beforeEach(async () => {
  const parent = mkdtempSync(join(tmpdir(), "tally-preview-"));
  for (const name of ["root", "state"]) mkdirSync(join(parent, name));
  root = await openRoot(join(parent, "root"), join(parent, "state"));
});

const preview = (before: string | Uint8Array | undefined, tool: string, input: object) => {
  if (before !== undefined) writeFileSync(join(root.dir, "a.txt"), before);
  return previewEdit(root, { tool, input: { file_path: "a.txt", ...input }, cwd: root.dir });
};

it.each(EDIT_CASES)("$tool: $about", async ({ before, tool, input, after }) => {
  const { stateAfter } = await preview(before, tool, input);
  expect(stateAfter).toBe(await contentState(new TextEncoder().encode(after)));
});

it("a write over UTF-16, which the SDK would write as such, is refused", async () => {
  const utf16 = new Uint8Array([0xff, 0xfe, 0x6f, 0]);
  await expect(preview(utf16, "Write", { content: "two" })).rejects.toThrow('"a.txt" is UTF-16. Nothing was written.');
});

it("an edit that makes a file too large to be compared is refused", async () => {
  const text = `x\n${"a".repeat(MAX_HASHED_BYTES - 3)}`;
  const grown = preview(text, "Edit", { old_string: "x", new_string: "xxx" });
  await expect(grown).rejects.toThrow('"a.txt" would become too large');
});
