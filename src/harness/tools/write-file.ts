/** The tool that creates a file or replaces all of it. */
import * as z from "zod";
import { wellFormed } from "../../contract/well-formed.ts";
import { changeFile, type OpenWorkspace } from "./change-file.ts";
import { inputTool } from "./input-tool.ts";
import type { Tool } from "./tool.ts";
import { WorkspacePath } from "./workspace-path.ts";

const Input = z.strictObject({
  path: WorkspacePath.describe('Path relative to the workspace\'s root, such as "src/app.ts".'),
  content: z.string().overwrite(wellFormed).describe("The whole new content of the file, as text."),
});

/** `write_file`. */
export const writeFileTool = (open: OpenWorkspace): Tool =>
  inputTool({
    name: "write_file",
    kind: "edit",
    description:
      "Creates a file with this content, with its directories, or replaces all of a file. To change a part of a file use edit_file: a person sees the diff either way, and a short call is easier to get right.",
    input: Input,
    prepare: ({ path, content }) =>
      changeFile(open, {
        path,
        title: `Write ${path}`,
        apply: () => ({ type: "whole", bytes: new TextEncoder().encode(content) }),
      }),
  });
