/** The tool that deletes one file. */
import * as z from "zod";
import { WorkspaceError } from "../../workspace/workspace.ts";
import { changeFile, type OpenWorkspace } from "./change-file.ts";
import { inputTool } from "./input-tool.ts";
import type { Tool } from "./tool.ts";
import { WorkspacePath } from "./workspace-path.ts";

const Input = z.strictObject({
  path: WorkspacePath.describe("Path of the file, relative to the workspace's root."),
});

/** `delete_file`. */
export const deleteFileTool = (open: OpenWorkspace): Tool =>
  inputTool({
    name: "delete_file",
    kind: "edit",
    description: "Deletes one file. Directories are not deleted. There is no trash: what is deleted is gone.",
    input: Input,
    prepare: ({ path }) =>
      changeFile(open, {
        path,
        title: `Delete ${path}`,
        // A person who allows edits below a directory for good has not said that files may go.
        mayBecomeRule: false,
        apply: (before) => {
          if (before.type !== "absent") return { type: "absent" };
          throw new WorkspaceError("not_found", `${path} does not exist, so there is nothing to delete.`);
        },
      }),
  });
