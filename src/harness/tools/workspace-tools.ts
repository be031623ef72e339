/** The agent's tools for files and commands (CONTRACT §6). */
import type { OpenWorkspace } from "./change-file.ts";
import { deleteFileTool } from "./delete-file.ts";
import { editFileTool } from "./edit-file.ts";
import { listFilesTool } from "./list-files.ts";
import { readFileTool } from "./read-file.ts";
import { runShellTool } from "./run-shell.ts";
import { searchFilesTool } from "./search-files.ts";
import type { Tool } from "./tool.ts";
import { writeFileTool } from "./write-file.ts";

/** All seven, over one workspace. It is opened by the first call that needs it. */
export const workspaceTools = (open: OpenWorkspace): readonly Tool[] => [
  readFileTool(open),
  listFilesTool(open),
  searchFilesTool(open),
  writeFileTool(open),
  editFileTool(open),
  deleteFileTool(open),
  runShellTool(open),
];
