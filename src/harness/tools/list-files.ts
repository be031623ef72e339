/** The tool that lists files with their sizes. */
import * as z from "zod";
import { wellFormed } from "../../contract/plain-text.ts";
import type { FileList } from "../../workspace/workspace.ts";
import type { OpenWorkspace } from "./change-file.ts";
import { inputTool } from "./input-tool.ts";
import type { Tool } from "./tool.ts";
import { answerRefusal, shownPath, WorkspacePath } from "./workspace-path.ts";

const MAX_FILES = 1_000;

const Input = z.strictObject({
  path: WorkspacePath.default(".").describe("Directory, relative to the workspace's root. Default: the root."),
  glob: z
    .string()
    .overwrite(wellFormed)
    .min(1)
    .max(500)
    .optional()
    .describe(
      'Only files that match this pattern, written as in .gitignore, such as "*.{ts,tsx}" or "src/**/*.test.ts".',
    ),
});

/** `list_files`. */
export const listFilesTool = (open: OpenWorkspace): Tool =>
  inputTool({
    name: "list_files",
    kind: "read",
    description:
      "Lists the files below a directory, at any depth and sorted by path: size in bytes, a tab, the path. Leaves out .git, what .gitignore ignores, and files that hold keys. At most 1,000.",
    input: Input,
    prepare: ({ path, glob }) => ({
      title: listTitle(path, glob),
      mayBecomeRule: false,
      run: ({ signal }) =>
        answerRefusal(async () => {
          const workspace = await open();
          const query = { path, limit: MAX_FILES, ...(glob === undefined ? {} : { glob }) };
          const list = await workspace.list(query, signal);
          return { output: describeList(list, path, glob), isError: false };
        }),
    }),
  });

/** The call, as people read it. */
export const listTitle = (path: string, glob: string | undefined): string => {
  if (path === ".") return `List ${glob ?? "all files"}`;
  return glob === undefined ? `List ${path}` : `List ${glob} in ${path}`;
};

/** A line for each file, as the model reads them. */
export const describeList = ({ entries, isCut }: FileList, path: string, glob: string | undefined): string => {
  if (entries.length === 0 && isCut)
    return `Listing ${path} took too long and was stopped before it found a file. Narrow it with path or glob.`;
  if (entries.length === 0)
    return glob === undefined ? `There are no files in ${path}.` : `No file in ${path} matches ${glob}.`;
  const lines = entries.map((entry) =>
    entry.type === "directory" ? `-\t${shownPath(entry.path)}/` : `${entry.size}\t${shownPath(entry.path)}`,
  );
  const cut = isCut
    ? [`[These are the first ${entries.length}. Narrow the list with path or glob to see others.]`]
    : [];
  return [...lines, ...cut].join("\n");
};
