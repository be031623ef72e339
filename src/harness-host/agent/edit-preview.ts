/** What a call of the SDK's Edit or Write would do to a file, as it is shown to a person. */
import * as z from "zod";
import type { HostSubject } from "../../harness/agent-sdk/host-wire.ts";
import { fileDiff } from "../../harness/tools/file-diff.ts";
import { decodeText, type FoundFile, findFile, stateOf, wholeFile } from "../../harness/tools/found-file.ts";
import { showPath } from "../../workspace/resolve-path.ts";
import { WorkspaceError } from "../../workspace/workspace.ts";
import { readFile, statEntry } from "../../workspace-server/file-calls.ts";
import type { WorkspaceRoot } from "../../workspace-server/workspace-root.ts";
import { realPathOf } from "./workspace-path.ts";

const WriteInput = z.object({ file_path: z.string(), content: z.string() });

const EditInput = z.object({
  file_path: z.string(),
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.boolean().default(false),
});

type EditSubject = Extract<HostSubject, { type: "edit" }>;

/** A call of one of the two tools, as it came. */
type EditCall = { readonly tool: string; readonly input: unknown; readonly cwd: string };

/**
 * Makes the diff of a call, so that a person is shown exactly what is written (decision 0097). An `old_string` that the SDK would match
 * only loosely, such as one with other quotation marks, is refused.
 *
 * @throws {WorkspaceError} saying why the edit cannot be made.
 */
export const previewEdit = async (root: WorkspaceRoot, call: EditCall): Promise<EditSubject> => {
  const { path, before, after } = await change(root, call);
  const { diff, isWhole } = fileDiff(path, before, after);
  return { type: "edit", path, diff, isWhole, stateBefore: await stateOf(before), stateAfter: await stateOf(after) };
};

/** The state of a file now, to compare with the one that was shown. */
export const currentState = async (root: WorkspaceRoot, path: string): Promise<string> =>
  stateOf(await find(root, path));

const find = (root: WorkspaceRoot, path: string): Promise<FoundFile> =>
  findFile({ stat: (at) => statEntry(root, at), read: (at, range) => readFile(root, at, range) }, path);

const change = async (root: WorkspaceRoot, { tool, input, cwd }: EditCall) => {
  if (tool === "Write") {
    const { file_path, content } = parse(WriteInput, input);
    const path = await realPathOf(root, cwd, file_path);
    const before = await find(root, path);
    return { path, before, after: wholeFile(showPath(path), written(path, before, content)) };
  }
  const edit = parse(EditInput, input);
  const path = await realPathOf(root, cwd, edit.file_path);
  const before = await find(root, path);
  return { path, before, after: wholeFile(showPath(path), replaced(path, before, edit)) };
};

const BYTE_ORDER_MARK = "\uFEFF";

/** The SDK keeps a file's byte order mark. It also keeps the encoding of a UTF-16 file, which is refused here. */
const written = (path: string, before: FoundFile, content: string): string => {
  const [first, second, third] = before.type === "whole" ? before.bytes : [];
  if (first === 0xff && second === 0xfe) throw impossible(path, "is UTF-16");
  const isMarked = first === 0xef && second === 0xbb && third === 0xbf;
  return isMarked && content !== "" && !content.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK + content : content;
};

/** How much of a file's beginning tells the SDK how the file's lines end, in UTF-16 units. */
const HEAD_LENGTH = 4_096;

/** Whether more lines in the text's head end with CRLF than with LF alone. */
const hasReturns = (text: string): boolean => {
  const head = text.slice(0, HEAD_LENGTH);
  const returns = head.split("\r\n").length - 1;
  return returns > head.split("\n").length - 1 - returns;
};

const withoutReturns = (text: string): string => text.replaceAll("\r\n", "\n");

/** The SDK edits the text with LF line ends, as its model has read it. It then gives all lines the end that prevails in the file's head. */
const replaced = (path: string, before: FoundFile, edit: z.infer<typeof EditInput>): string => {
  if (before.type === "absent" && edit.old_string === "") return edit.new_string;
  if (before.type !== "whole") throw impossible(path, before.type === "absent" ? "does not exist" : "is too large");
  const found = decodeText(before.bytes);
  if ("not" in found) throw impossible(path, `is ${found.not}`);
  const mark = found.text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const text = withoutReturns(found.text.slice(mark.length));
  const parts = text.split(edit.old_string);
  if (edit.old_string === "" || parts.length === 1)
    throw impossible(path, "does not contain old_string. Read it again");
  if (parts.length > 2 && !edit.replace_all) {
    throw impossible(path, `contains old_string ${parts.length - 1} times. Give more of the text around it`);
  }
  // As the SDK does: if the text to delete occurs at the end of a line, only such occurrences are deleted, each with its line end.
  const line = `${edit.old_string}\n`;
  const isLine = edit.new_string === "" && !edit.old_string.endsWith("\n") && text.includes(line);
  const edited = isLine ? text.replaceAll(line, "") : parts.join(edit.new_string);
  return mark + (hasReturns(found.text) ? withoutReturns(edited).replaceAll("\n", "\r\n") : edited);
};

const impossible = (path: string, why: string): WorkspaceError =>
  new WorkspaceError("invalid", `${showPath(path)} ${why}. Nothing was written.`);

const parse = <Schema extends z.ZodType>(schema: Schema, input: unknown): z.infer<Schema> => {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new WorkspaceError("invalid", `The call is not valid: ${parsed.error.issues[0]?.message ?? ""}`);
};
