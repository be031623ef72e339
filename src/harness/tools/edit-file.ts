/** The tool that replaces a text in a file. */
import * as z from "zod";
import { wellFormed } from "../../contract/well-formed.ts";
import { WorkspaceError } from "../../workspace/workspace.ts";
import { changeFile, type OpenWorkspace } from "./change-file.ts";
import { decodeText, formatSize } from "./decode-text.ts";
import type { FoundFile } from "./found-file.ts";
import { inputTool } from "./input-tool.ts";
import { replaceText, type TextEdit } from "./replace-text.ts";
import type { Tool } from "./tool.ts";
import { WorkspacePath } from "./workspace-path.ts";

const Input = z.strictObject({
  path: WorkspacePath.describe("Path of the file, relative to the workspace's root."),
  oldText: z
    .string()
    // Else half of a character would be found in the middle of whole ones.
    .overwrite(wellFormed)
    .min(1, "give the text to replace; to create a file use write_file")
    .describe(
      "The text to replace, exactly as read_file shows it but without line numbers. It must be in the file once.",
    ),
  newText: z.string().overwrite(wellFormed).describe("What stands there afterwards; may be empty."),
  replaceAll: z.boolean().default(false).describe("Replaces every place where oldText is."),
});

/** `edit_file`. */
export const editFileTool = (open: OpenWorkspace): Tool =>
  inputTool({
    name: "edit_file",
    kind: "edit",
    description:
      "Replaces a text in a file. Read the file first. oldText must be in it exactly once, so take enough of the lines around the place; or set replaceAll. The person is shown the diff, and it is applied only if the file is still the same then.",
    input: Input,
    prepare: ({ path, ...edit }) =>
      changeFile(open, { path, title: `Edit ${path}`, apply: (before) => applyEdit(path, before, edit) }),
  });

const applyEdit = (path: string, before: FoundFile, edit: TextEdit): FoundFile => {
  if (before.type === "absent") {
    throw new WorkspaceError(
      "not_found",
      `${path} does not exist. Find it with list_files, or create it with write_file.`,
    );
  }
  if (before.type === "large") {
    const size = formatSize(before.size);
    throw new WorkspaceError(
      "too_large",
      `${path} has ${size}, too many for edit_file. Use run_shell, with sed for example.`,
    );
  }
  const decoded = decodeText(before.bytes);
  if ("not" in decoded)
    throw new WorkspaceError("wrong_type", `${path} is ${decoded.not}, so edit_file cannot change it.`);
  const edited = replaceText(decoded.text, edit);
  if ("problem" in edited) throw new WorkspaceError("invalid", `${path}: ${edited.problem}`);
  return { type: "whole", bytes: new TextEncoder().encode(edited.text) };
};
