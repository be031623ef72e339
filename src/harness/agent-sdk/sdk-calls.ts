/** The calls of the SDK's model as calls of ours: kind, title, what a person is shown. */
import * as z from "zod";
import { tryParseJson } from "../../contract/parse-json.ts";
import type { PermissionSubject, ToolKind } from "../../contract/permission.ts";
import { cutText } from "../../contract/plain-text.ts";
import { ABSENT } from "../../workspace/file-state.ts";
import { cutOutput, MAX_OUTPUT_BYTES } from "../model-text.ts";
import { commandTitle } from "../tools/describe-command.ts";
import type { FileChange, Proposal, Tool } from "../tools/tool.ts";
import type { CallResult, ToolCall } from "../turn.ts";
import type { HostSubject } from "./host-wire.ts";
import { type SdkResultMeta, type SdkToolResult, type ToolUse, textOf } from "./sdk-message.ts";

/** How the SDK names the tools that we serve. */
const OWN_PREFIX = "mcp__tally__";

/** Longest name or pattern in a title, in UTF-16 units. */
const MAX_TITLE_PART = 200;

/** Our tool that the SDK knows by this name. */
const ownTool = (tools: readonly Tool[], sdkName: string): Tool | undefined =>
  sdkName.startsWith(OWN_PREFIX) ? tools.find(({ name }) => OWN_PREFIX + name === sdkName) : undefined;

/** A call as it is first shown. `root`: the workspace's directory on the host, if it is known. */
export const shownCall = (
  { id, name, input }: ToolUse,
  tools: readonly Tool[],
  root: string | undefined,
): Pick<ToolCall, "toolUseId" | "tool" | "kind" | "title" | "input"> => {
  const own = ownTool(tools, name);
  if (own === undefined) return { toolUseId: id, tool: name, ...builtIn(name, input, root), input };
  const prepared = own.prepare(input);
  const title = "problem" in prepared ? own.name : prepared.title;
  return { toolUseId: id, tool: own.name, kind: own.kind, title, input };
};

const builtIn = (
  name: string,
  input: ToolUse["input"],
  root: string | undefined,
): { readonly kind: ToolKind; readonly title: string } => {
  const path = (value: unknown): string =>
    typeof value === "string" && root !== undefined && value.startsWith(`${root}/`)
      ? titlePart(value.slice(root.length + 1))
      : titlePart(value);
  switch (name) {
    case "Read":
      return { kind: "read", title: `Read ${path(input.file_path)}` };
    case "Glob":
      return { kind: "read", title: `List ${titlePart(input.pattern)}` };
    case "Grep":
      return { kind: "read", title: `Search ${titlePart(input.pattern)}` };
    case "Edit":
      return { kind: "edit", title: `Edit ${path(input.file_path)}` };
    case "Write":
      return { kind: "edit", title: `Write ${path(input.file_path)}` };
    case "Bash":
      return { kind: "execute", title: commandTitle(String(input.command ?? "")) };
    default:
      // The host denies such a call. An unknown name is shown as the most powerful kind of tool, by which `settle-open` tells it from ours.
      return { kind: "execute", title: titlePart(name) };
  }
};

/** A part of a title. People consent to titles, so a title says how much is left out. */
const titlePart = (value: unknown): string => {
  const text = typeof value === "string" ? value : "";
  const shown = cutText(text, MAX_TITLE_PART);
  const left = text.length - shown.length;
  return left === 0 ? shown : `${shown} … and ${left} more characters`;
};

/** The states of a file before and after an edit, kept in the proposal's basis. */
const EditBasis = z.object({ before: z.string(), after: z.string() });
export type EditBasis = z.infer<typeof EditBasis>;

/** What a person is shown of a call, made from what the host says the call would do. */
export const proposalOf = (subject: HostSubject): Proposal => {
  if (subject.type === "command") return { subject };
  const { path, diff, isWhole, stateBefore, stateAfter } = subject;
  const shown: PermissionSubject = { type: "edit", path, diff, ...(isWhole ? {} : { truncated: true }) };
  const basis: EditBasis = { before: stateBefore, after: stateAfter };
  return { subject: shown, basis: JSON.stringify(basis) };
};

/** The states of an edit that was shown; undefined for anything else. */
export const basisOf = (shown: Proposal | undefined): EditBasis | undefined =>
  EditBasis.safeParse(shown?.basis === undefined ? undefined : tryParseJson(shown.basis)).data;

/**
 * Whether what the host would do now is what a person was shown. This does not check whether the file has changed since: the host compares
 * it before the edit, and says so.
 */
export const isAsShown = (shown: Proposal | undefined, now: Proposal): boolean => {
  if (shown?.subject.type === "command" && now.subject.type === "command") {
    return shown.subject.command === now.subject.command && shown.subject.dir === now.subject.dir;
  }
  if (shown?.subject.type !== "edit" || now.subject.type !== "edit") return false;
  const [was, is] = [basisOf(shown), basisOf(now)];
  return shown.subject.path === now.subject.path && (was?.before !== is?.before || was?.after === is?.after);
};

/** What an edit did to its file, for the transcript. */
export const fileChangeOf = (shown: Proposal | undefined): FileChange | undefined => {
  const basis = basisOf(shown);
  if (basis === undefined || shown?.subject.type !== "edit") return undefined;
  const { path, diff } = shown.subject;
  return { path, operation: basis.before === ABSENT ? "create" : "update", diff };
};

/** How a call of the SDK's own tools ended, by its result. */
export const resultOf = (
  { toolUseId, kind }: ToolCall,
  result: SdkToolResult,
  meta: SdkResultMeta = [],
): Pick<CallResult, "status" | "output"> => {
  const output = cutOutput(textOf(result).replace(/^PreToolUse:[\w-]+ hook error: /, ""), MAX_OUTPUT_BYTES);
  if (result.is_error !== true) return { status: "completed", output };
  const hasNotRun = meta.some((one) => one.id === toolUseId && one.non_execution_kind !== undefined);
  return { status: hasNotRun && kind !== "read" ? "aborted" : "failed", output };
};
