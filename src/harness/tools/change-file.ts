/**
 * A call that changes one file, from the question to crash recovery. The diff a person is shown is made from the file's
 * current content, and the states before and after are kept as hashes: the change is made only if the file is still what the
 * diff was made from (decision 0033), and after a crash the hashes tell whether it was made. All of this is about the
 * real file, wherever links lead: that is what permissions are about (decision 0041).
 */
import * as z from "zod";
import { parseJson } from "../../contract/parse-json.ts";
import { untilAborted } from "../../contract/within.ts";
import { ABSENT } from "../../workspace/file-state.ts";
import { type Workspace, WorkspaceError } from "../../workspace/workspace.ts";
import { fileDiff } from "./file-diff.ts";
import { type FoundFile, findFile, stateOf } from "./found-file.ts";
import type { FileBefore, FileChange, PreparedCall, Proposal, ToolContext, ToolResult } from "./tool.ts";
import { answerRefusal } from "./workspace-path.ts";

/** A change of one file. */
export type FileEdit = {
  readonly path: string;
  /** One line for people. */
  readonly title: string;
  /** False for a change that no rule may ever allow. */
  readonly mayBecomeRule?: boolean;
  /** What the file becomes. Pure. @throws {WorkspaceError} with a message for the model, when it cannot be changed. */
  apply(before: FoundFile): FoundFile;
};

/** Kept with the request: the states before and after that were shown. */
const Basis = z.object({ before: z.string(), after: z.string() });

/** Opens the workspace; returns the same one on each call. */
export type OpenWorkspace = () => Promise<Workspace>;

/** Makes the call that carries out a change. */
export const changeFile = (open: OpenWorkspace, edit: FileEdit): PreparedCall => ({
  title: edit.title,
  mayBecomeRule: edit.mayBecomeRule ?? true,
  propose: async () => {
    const workspace = await open();
    const path = await workspace.realPath(edit.path);
    const before = await findFile(workspace, path);
    const after = edit.apply(before);
    const basis = { before: await stateOf(before), after: await stateOf(after) };
    if (basis.before === basis.after) {
      throw new WorkspaceError("invalid", `${edit.path}: no changes to make, it already has this content.`);
    }
    const { diff, isWhole } = fileDiff(path, before, after);
    const subject = { type: "edit", path, diff, ...(isWhole ? {} : { truncated: true }) } as const;
    return { subject, basis: JSON.stringify(basis) };
  },
  run: (ctx) => answerRefusal(async () => runEdit(await open(), edit, ctx)),
  recover: async (ctx) => {
    const shown = shownChange(ctx.shown);
    if (shown === undefined) return "unknown";
    const workspace = await open();
    if ((await workspace.realPath(shown.path)) !== shown.path) return "unknown";
    const found = await stateOf(await findFile(workspace, shown.path));
    if (found === shown.after) return changed(shown);
    if (found !== shown.before) return "unknown";
    return ctx.signal.aborted ? "no_effect" : "rerun";
  },
});

const runEdit = async (workspace: Workspace, edit: FileEdit, ctx: ToolContext): Promise<ToolResult | "no_effect"> => {
  const shown = shownChange(ctx.shown);
  // A link may lead elsewhere by now; the person agreed only to the path that was shown.
  if (shown === undefined || (await workspace.realPath(edit.path)) !== shown.path) return staleResult(edit.path);
  const before = await findFile(workspace, shown.path);
  if ((await stateOf(before)) !== shown.before) return staleResult(edit.path);
  const after = edit.apply(before);
  if ((await stateOf(after)) !== shown.after) return staleResult(edit.path);
  if (ctx.signal.aborted) return "no_effect";
  const bytes = before.type === "whole" ? before.bytes : undefined;
  await keepUnlessStopped(ctx, { path: shown.path, before: shown.before, after: shown.after, bytes });
  if (ctx.signal.aborted) return "no_effect";
  try {
    await store(workspace, shown, after);
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    if (error.code === "changed") return staleResult(edit.path);
    if (error.code !== "unavailable") throw error;
    // The answer was lost, perhaps after the change was made.
    return (await isStored(workspace, shown)) ? changed(shown) : lostResult(shown.path);
  }
  return changed(shown);
};

/**
 * Keeps what was there. Once the run is being stopped, this no longer waits, and a failure is ignored: such a run refuses to keep
 * anything, and nothing has been written.
 */
const keepUnlessStopped = async ({ keepBefore, signal }: ToolContext, file: FileBefore): Promise<void> => {
  if (keepBefore === undefined) return;
  try {
    await untilAborted(signal, keepBefore(file));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};

/** Makes the change. The workspace checks in the same step that the file is still what was shown. */
const store = async (workspace: Workspace, { path, before }: ShownChange, after: FoundFile): Promise<void> => {
  const condition = { ifState: before };
  if (after.type === "whole") await workspace.write(path, after.bytes, condition);
  else await workspace.delete(path, condition);
};

const isStored = async (workspace: Workspace, { path, after }: ShownChange): Promise<boolean> => {
  try {
    return (await stateOf(await findFile(workspace, path))) === after;
  } catch {
    // Still unreachable, so nobody can tell.
    return false;
  }
};

/** What was agreed to. `path` is a real path. */
type ShownChange = z.infer<typeof Basis> & { readonly path: string; readonly diff: string };

const shownChange = (shown: Proposal | undefined): ShownChange | undefined => {
  if (shown?.basis === undefined || shown.subject.type !== "edit") return undefined;
  const { path, diff } = shown.subject;
  return { ...Basis.parse(parseJson(shown.basis)), path, diff };
};

const changed = ({ path, diff, before, after }: ShownChange): ToolResult => {
  const operation = before === ABSENT ? "create" : after === ABSENT ? "delete" : "update";
  const fileChange: FileChange = { path, operation, diff };
  return { output: `${DONE[operation]} ${path}.`, isError: false, fileChange };
};

const DONE = { create: "Created", update: "Changed", delete: "Deleted" } as const;

const staleResult = (path: string): ToolResult => ({
  output: `${path} has changed since this change was shown, so nothing was written. Read it again, then call the tool again.`,
  isError: true,
});

const lostResult = (path: string): ToolResult => ({
  output: `The workspace became unreachable during the change, so it is not known whether ${path} was changed. Read it before you try again.`,
  isError: true,
  isUnknown: true,
});
