/** The tool that shows a text file page by page, and describes any other file. */
import * as z from "zod";
import { cutText } from "../../contract/plain-text.ts";
import { type Workspace, WorkspaceError } from "../../workspace/workspace.ts";
import type { OpenWorkspace } from "./change-file.ts";
import { decodeText, formatSize, MAX_CONTENT_BYTES } from "./found-file.ts";
import { inputTool } from "./input-tool.ts";
import type { Tool, ToolResult } from "./tool.ts";
import { answerRefusal, shownPath, WorkspacePath } from "./workspace-path.ts";

/** Files that are searched for a hint; in a larger tree the hint may be missing. */
const MAX_LISTED = 5_000;

const MAX_NAMES = 3;

/** A sentence that names files with the same name or stem, or an empty text. */
const nearNames = async (workspace: Workspace, path: string): Promise<string> => {
  try {
    const { entries } = await workspace.list({ path: ".", limit: MAX_LISTED });
    const near = entries.map((entry) => entry.path).filter((other) => isNear(other, path));
    return near.length === 0 ? "" : ` Did you mean ${near.slice(0, MAX_NAMES).map(shownPath).join(" or ")}?`;
  } catch (error) {
    // It is only a hint: without it, the answer is still complete.
    if (error instanceof WorkspaceError) return "";
    throw error;
  }
};

const isNear = (other: string, path: string): boolean => stemOf(other) === stemOf(path);

/** The file's name without directories, extension, case and punctuation: `pages/App.test.ts` becomes `app`. */
const stemOf = (path: string): string => {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return (name.replace(/(?<=.)\..*$/, "") || name).replaceAll(/[-_ ]/g, "");
};

/** Most lines and UTF-16 units of one page: some 15,000 tokens at most, so that the reads of one step fit into one message. */
const MAX_LINES = 2_000;

const MAX_PAGE_LENGTH = 60_000;

/** Longer lines, as in minified files, are cut. */
const MAX_LINE_LENGTH = 2_000;

/** Width of the line number, as in `cat -n`. */
const NUMBER_WIDTH = 6;

/** Lines from `startLine` to `endLine`, both inclusive and counted from 1. */
type LineRange = { readonly startLine: number; readonly endLine: number | undefined };

/** The page, the line it ends at and the number of lines in all. `lastLine` is below `startLine` when the text ends before it. */
export const numberLines = (
  text: string,
  { startLine, endLine = Number.POSITIVE_INFINITY }: LineRange,
): { readonly page: string; readonly lastLine: number; readonly lines: number } => {
  const all = text.replace(/^\uFEFF/, "").split("\n");
  if (all.at(-1) === "") all.pop();
  const end = Math.min(endLine, all.length, startLine + MAX_LINES - 1);
  const page: string[] = [];
  let length = 0;
  for (let line = startLine; line <= end; line += 1) {
    const numbered = `${String(line).padStart(NUMBER_WIDTH)}\t${shorten(all[line - 1] ?? "")}`;
    length += numbered.length + 1;
    if (length > MAX_PAGE_LENGTH) break;
    page.push(numbered);
  }
  return { page: page.join("\n"), lastLine: startLine + page.length - 1, lines: all.length };
};

const shorten = (line: string): string => {
  const shown = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (shown.length <= MAX_LINE_LENGTH) return shown;
  return `${cutText(shown, MAX_LINE_LENGTH)}… [${shown.length - MAX_LINE_LENGTH} more characters in this line]`;
};

const Line = z.int().min(1);

const Input = z
  .strictObject({
    path: WorkspacePath.describe('Path relative to the workspace\'s root, such as "src/app.ts".'),
    startLine: Line.optional().describe("The first line to show, counted from 1. Default: 1."),
    endLine: Line.optional().describe("The last line to show, inclusive. Default: as many as fit on a page."),
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
      "Shows a text file with line numbers: the number, a tab, the line. A page has at most 2,000 lines; its last line says how to continue. Files that are not UTF-8 text are described instead of shown. To read several files, make several calls in one message.",
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
    ? ` Only its first ${formatSize(MAX_CONTENT_BYTES)} of ${formatSize(size)} can be read this way; for the rest use run_shell.`
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
