/** The tool that finds lines by a regular expression. */
import * as z from "zod";
import { wellFormed } from "../../contract/plain-text.ts";
import type { SearchResult } from "../../workspace/workspace.ts";
import type { OpenWorkspace } from "./change-file.ts";
import { inputTool } from "./input-tool.ts";
import type { Tool } from "./tool.ts";
import { answerRefusal, shownPath, WorkspacePath } from "./workspace-path.ts";

const MAX_LIMIT = 1_000;

/** UTF-16 units of one answer: more would use up too much of the model's window. */
const MAX_OUTPUT_LENGTH = 60_000;

const Input = z.strictObject({
  pattern: z
    .string()
    .overwrite(wellFormed)
    .min(1, "give a regular expression")
    .max(1_000)
    .describe(
      "A regular expression in RE2 syntax, matched line by line: no lookaround, no backreferences. (?i) ignores case.",
    ),
  path: WorkspacePath.default(".").describe("Directory or file, relative to the workspace's root. Default: the root."),
  glob: z
    .string()
    .overwrite(wellFormed)
    .min(1)
    .max(500)
    .optional()
    .describe('Only files that match this pattern, such as "*.{ts,tsx}".'),
  context: z.int().min(0).max(20).default(0).describe("Lines shown before and after each match."),
  limit: z.int().min(1).max(MAX_LIMIT).default(100).describe("Maximum number of matching lines."),
});

/** `search_files`. */
export const searchFilesTool = (open: OpenWorkspace): Tool =>
  inputTool({
    name: "search_files",
    kind: "read",
    description:
      "Finds lines in files by a regular expression, like ripgrep: path:line:text for a match, path-line-text for a line of context, -- between groups. Leaves out .git, what .gitignore ignores, binary files, and files that hold keys.",
    input: Input,
    prepare: ({ pattern, path, glob, context, limit }) => ({
      title: `Search ${pattern}`,
      mayBecomeRule: false,
      run: ({ signal }) =>
        answerRefusal(async () => {
          const workspace = await open();
          const query = { pattern, path, context, limit, ...(glob === undefined ? {} : { glob }) };
          const found = await workspace.search(query, signal);
          return { output: describeMatches(found), isError: false };
        }),
    }),
  });

/** The lines as ripgrep prints them, followed by a line that says so when results are missing. */
export const describeMatches = ({ lines, isCut, tooLarge }: SearchResult): string => {
  const skipped =
    tooLarge && `${shownPath(tooLarge)} is too large to be searched whole. Search it with a command, such as grep.`;
  if (lines.length === 0) {
    if (skipped) return `No line matches, but ${skipped}`;
    return isCut ? "The search was stopped before it found a line." : "No line matches.";
  }
  const hasContext = lines.some(({ isMatch }) => !isMatch);
  const printed: string[] = [];
  let length = 0;
  let isFull = false;
  for (const [index, { path, line, text, isMatch }] of lines.entries()) {
    const sign = isMatch ? ":" : "-";
    const row = `${shownPath(path)}${sign}${line}${sign}${text}`;
    length += row.length + 1;
    isFull = length > MAX_OUTPUT_LENGTH;
    if (isFull) break;
    const last = lines[index - 1];
    if (hasContext && last !== undefined && (last.path !== path || last.line + 1 !== line)) printed.push("--");
    printed.push(row);
  }
  const isMore = isFull || (isCut && !skipped);
  const missing = isMore ? "There is more. Narrow the search with path, glob or a stricter pattern." : skipped;
  return [...printed, ...(missing ? [`[${missing}]`] : [])].join("\n");
};
