/** The tool that shows a text file, page by page, and says of any other what it is. */
import * as z from "zod";
import type { Workspace } from "../../workspace/workspace.ts";
import { answerRefusal } from "./answer-refusal.ts";
import type { OpenWorkspace } from "./change-file.ts";
import { decodeText, formatSize } from "./decode-text.ts";
import { MAX_CONTENT_BYTES } from "./found-file.ts";
import { inputTool } from "./input-tool.ts";
import { nearNames } from "./near-names.ts";
import { type LineRange, numberLines } from "./number-lines.ts";
import type { Tool, ToolResult } from "./tool.ts";
import { WorkspacePath } from "./workspace-path.ts";

const Line = z.int().min(1);

const Input = z
  .strictObject({
    path: WorkspacePath.describe('Path relative to the workspace\'s root, such as "src/app.ts".'),
    startLine: Line.optional().describe("The line to begin with, counted from 1. Default: 1."),
    endLine: Line.optional().describe("The line to end with, included. Default: as many as fit a page."),
  })
  .refine(({ startLine = 1, endLine = startLine }) => endLine >= startLine, {
    path: ["endLine"],
    message: "use startLine or a later line",
  });

/** `read_file`. */
export const readFileTool = (open: OpenWorkspace): Tool =>
  inputTool({
    name: "read_file",
    kind: "read",
    description:
      "Shows a text file with line numbers: the number, a tab, the line. A page has at most 2,000 lines; its last line says how to read on. Files that are not UTF-8 text are described, not shown. Several files can be read with calls in one message.",
    input: Input,
    prepare: ({ path, startLine = 1, endLine }) => ({
      title: `Read ${path}`,
      mayBecomeRule: false,
      run: () => answerRefusal(async () => readFile(await open(), path, { startLine, endLine })),
    }),
  });

const readFile = async (workspace: Workspace, path: string, range: LineRange): Promise<ToolResult> => {
  const stat = await workspace.stat(path);
  if (stat === undefined) return problem(`${path} does not exist.${await nearNames(workspace, path)}`);
  if (stat.type === "directory") return problem(`${path} is a directory. Use list_files to see what is in it.`);
  const { bytes, size } = await workspace.read(path, { offset: 0, maxBytes: MAX_CONTENT_BYTES });
  if (size === 0) return { output: `${path} is empty.`, isError: false };
  const isPart = bytes.byteLength < size;
  const decoded = decodeText(bytes, isPart);
  if ("not" in decoded)
    return { output: `${path} is ${decoded.not} (${formatSize(size)}), so it is not shown.`, isError: false };
  const { page, lastLine, lines } = numberLines(decoded.text, range);
  const beyond = isPart
    ? ` Only its first ${formatSize(MAX_CONTENT_BYTES)} of ${formatSize(size)} can be read so; for the rest use run_shell.`
    : "";
  if (lastLine < range.startLine) return problem(`startLine: ${path} has ${lines} lines.${beyond}`);
  const notes = [
    ...(lastLine < lines && lastLine !== range.endLine
      ? [`Lines ${range.startLine} to ${lastLine} of ${lines}. Read on with startLine ${lastLine + 1}.`]
      : []),
    ...(beyond === "" ? [] : [beyond.trim()]),
    ...(decoded.text.includes("\r\n") ? ["Its lines end with CRLF."] : []),
  ];
  return { output: [page, ...notes.map((note) => `[${note}]`)].join("\n"), isError: false };
};

const problem = (output: string): ToolResult => ({ output, isError: true });
