/** The agent's tools for files and commands (api.md §6). */
import * as z from "zod";
import { wellFormed } from "../../contract/plain-text.ts";
import { WorkspaceError } from "../../workspace/workspace.ts";
import { changeFile, type OpenWorkspace } from "./change-file.ts";
import { editFileTool } from "./edit-file.ts";
import { wholeFile } from "./found-file.ts";
import { inputTool } from "./input-tool.ts";
import { listFilesTool } from "./list-files.ts";
import { readFileTool } from "./read-file.ts";
import { runShellTool } from "./run-shell.ts";
import { searchFilesTool } from "./search-files.ts";
import type { Tool } from "./tool.ts";
import { WorkspacePath } from "./workspace-path.ts";

const DeleteInput = z.strictObject({
  path: WorkspacePath.describe("Path of the file, relative to the workspace's root."),
});

/** `delete_file`. */
const deleteFileTool = (open: OpenWorkspace): Tool =>
  inputTool({
    name: "delete_file",
    kind: "edit",
    description: "Deletes one file, permanently: there is no trash. Directories are not deleted.",
    input: DeleteInput,
    prepare: ({ path }) =>
      changeFile(open, {
        path,
        title: `Delete ${path}`,
        // Always allowing edits below a directory does not mean that files there may be deleted.
        mayBecomeRule: false,
        apply: (before) => {
          if (before.type !== "absent") return { type: "absent" };
          throw new WorkspaceError("not_found", `${path} does not exist, so there is nothing to delete.`);
        },
      }),
  });

const WriteInput = z.strictObject({
  path: WorkspacePath.describe('Path relative to the workspace\'s root, such as "src/app.ts".'),
  content: z.string().overwrite(wellFormed).describe("The whole new content of the file, as text."),
});

/** `write_file`. */
const writeFileTool = (open: OpenWorkspace): Tool =>
  inputTool({
    name: "write_file",
    kind: "edit",
    description:
      "Creates a file with this content, along with its directories, or replaces a whole file. To change a part of a file use edit_file: a person sees the diff either way, and a short call is easier to get right.",
    input: WriteInput,
    prepare: ({ path, content }) =>
      changeFile(open, {
        path,
        title: `Write ${path}`,
        apply: () => wholeFile(path, content),
      }),
  });

/** All seven tools over one workspace. The first call that needs it opens it. */
export const workspaceTools = (open: OpenWorkspace): readonly Tool[] => [
  readFileTool(open),
  listFilesTool(open),
  searchFilesTool(open),
  writeFileTool(open),
  editFileTool(open),
  deleteFileTool(open),
  runShellTool(open),
];
