/** The tool that replaces a text in a file. */
import * as z from "zod";
import { wellFormed } from "../../contract/plain-text.ts";
import { WorkspaceError } from "../../workspace/workspace.ts";
import { changeFile, type OpenWorkspace } from "./change-file.ts";
import { findText, newlinesBefore } from "./find-text.ts";
import { decodeText, type FoundFile, formatSize, wholeFile } from "./found-file.ts";
import { inputTool } from "./input-tool.ts";
import type { Tool } from "./tool.ts";
import { WorkspacePath } from "./workspace-path.ts";

/** What an edit asks for. `oldText` is not empty. */
type TextEdit = { readonly oldText: string; readonly newText: string; readonly replaceAll: boolean };

/** Most line numbers in a message. */
const MAX_NAMED_LINES = 5;

/** Longest edited text up to the last replaced place, in UTF-16 units: no workspace takes a file of so many bytes. */
const MAX_EDITED_LENGTH = 16_777_216;

const TOO_LONG = "newText: the file would become too large. Replace less of it.";

/** How many parts of the edited text are joined at once. */
const MAX_PARTS = 10_000;

/**
 * Finds the text an edit names and replaces it: only on an exact match, and only when there is no doubt which place is meant.
 * Returns the new text, or a problem that the model can act on. A plain newline stands for either line end, and what is written ends its
 * lines as the file does there: read_file shows no carriage returns. An `oldText` that has some itself is taken to the letter.
 */
export const replaceText = (text: string, edit: TextEdit): { text: string } | { problem: string } => {
  const { oldText, newText, replaceAll } = edit;
  if (oldText === newText) return { problem: "newText: it equals oldText, so there is nothing to change." };
  const isLiteral = oldText.includes("\r");
  const isReturn = (at: number) => !isLiteral && text[at] === "\r" && text[at + 1] === "\n";
  const places = () => findText(text, oldText, isReturn);
  let count = 0;
  const lines: number[] = [];
  for (const { start } of places()) {
    count += 1;
    if (count <= MAX_NAMED_LINES) lines.push(newlinesBefore(text, start) + 1);
  }
  if (count === 0) return { problem: `oldText: it is not in the file. ${hintFor(text, oldText)}` };
  if (count > 1 && !replaceAll) {
    const more = count > MAX_NAMED_LINES ? ", …" : "";
    return {
      problem: `oldText: it is in the file ${count} times (lines ${lines.join(", ")}${more}). Take more of the text around the place you mean, or set replaceAll to change all of them.`,
    };
  }
  const hasReturn = returnsInOrder(text);
  const parts: string[] = [];
  let [edited, length, at] = ["", 0, 0];
  for (const { start, end } of places()) {
    const written = !isLiteral && hasReturn(start) ? newText.replaceAll(/\r?\n/g, "\r\n") : newText;
    length += start - at + written.length;
    if (length > MAX_EDITED_LENGTH) return { problem: TOO_LONG };
    parts.push(text.slice(at, start), written);
    // A string that is built from millions of parts one by one takes many times its length in memory.
    if (parts.length > MAX_PARTS) edited += parts.splice(0).join("");
    at = end;
  }
  return { text: edited + parts.join("") + text.slice(at) };
};

/**
 * Returns a function that says whether the line at a place ends with CRLF. It must be asked about places in rising order. The last line
 * counts like the one before it. The text is searched only once: a file can have all of its megabytes on one line.
 */
const returnsInOrder = (text: string): ((place: number) => boolean) => {
  const lastEnd = text.lastIndexOf("\n");
  let end = -1;
  return (place) => {
    if (end < place) end = place > lastEnd ? lastEnd : text.indexOf("\n", place);
    return text[end - 1] === "\r";
  };
};

const LINE_NUMBERS = /^ *\d+\t/;

const hintFor = (text: string, oldText: string): string => {
  if (LINE_NUMBERS.test(oldText)) return "Leave out the line numbers and the tab after them, which read_file adds.";
  const bare = oldText.replaceAll(/\s+/g, "");
  if (bare === "" || isIn(text, bare, (at) => text[at]?.trim() === "")) {
    return "Only white space differs: copy indentation, tabs and line breaks as read_file shows them.";
  }
  if (isIn(text.toLowerCase(), oldText.toLowerCase())) return "Only upper and lower case differ.";
  const firstLine = oldText.split("\n").find((line) => line.trim() !== "") ?? "";
  const line = lineLike(text, firstLine.trim());
  return line === undefined
    ? "Read the file again: it may have changed, or it may be the wrong file."
    : `Its first line is line ${line}, but what follows differs. Read the file again from there.`;
};

const isIn = (...search: Parameters<typeof findText>): boolean => findText(...search).next().done !== true;

/** The number of the first line that equals `trimmed` apart from white space around it. */
const lineLike = (text: string, trimmed: string): number | undefined => {
  for (let [line, start] = [1, 0]; ; line += 1) {
    const end = text.indexOf("\n", start);
    if (text.slice(start, end === -1 ? undefined : end).trim() === trimmed) return line;
    if (end === -1) return undefined;
    start = end + 1;
  }
};

const Input = z.strictObject({
  path: WorkspacePath.describe("Path of the file, relative to the workspace's root."),
  oldText: z
    .string()
    // Otherwise half of a surrogate pair would match inside a whole character.
    .overwrite(wellFormed)
    .min(1, "give the text to replace; to create a file use write_file")
    .describe(
      "The text to replace, exactly as read_file shows it but without line numbers. It must occur exactly once in the file.",
    ),
  newText: z.string().overwrite(wellFormed).describe("The text to put in its place; may be empty."),
  replaceAll: z.boolean().default(false).describe("Replaces every occurrence of oldText."),
});

/** `edit_file`. */
export const editFileTool = (open: OpenWorkspace): Tool =>
  inputTool({
    name: "edit_file",
    kind: "edit",
    description:
      "Replaces text in a file. Read the file first. oldText must occur exactly once, so include enough of the surrounding lines, or set replaceAll. The person is shown the diff, and it is applied only if the file has not changed by then.",
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
  return wholeFile(path, edited.text);
};
