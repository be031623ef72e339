/**
 * A call that changes one file, from the question to what a crash leaves. The diff that is shown is made from the file as
 * it stands, and the states before and after are kept by their hashes: the change is made only if the file is still what
 * the diff was made from (docs/decisions/0033), and after a crash the hashes tell whether it was made.
 */
import { z } from "zod";
import { type Workspace, WorkspaceError } from "../../workspace/workspace.ts";
import { answerRefusal } from "./answer-refusal.ts";
import { fileDiff } from "./file-diff.ts";
import { type FoundFile, findFile, fingerprint } from "./found-file.ts";
import type { FileChange, PreparedCall, Proposal, ToolContext, ToolResult } from "./tool.ts";

/** A change of one file. */
export type FileEdit = {
  readonly path: string;
  /** One line for people. */
  readonly title: string;
  /** What the file becomes. The same for the same file. @throws {WorkspaceError} in words for the model, when it cannot. */
  apply(before: FoundFile): FoundFile;
};

/** Kept with the request: which state was shown to become which. */
const Basis = z.object({ before: z.string(), after: z.string() });

/** Opens the workspace; the same one on each call. */
export type OpenWorkspace = () => Promise<Workspace>;

/** The call that makes a change. */
export const changeFile = (open: OpenWorkspace, edit: FileEdit): PreparedCall => ({
  title: edit.title,
  mayBecomeRule: true,
  propose: async () => {
    const before = await findFile(await open(), edit.path);
    const after = edit.apply(before);
    const basis = { before: await fingerprint(before), after: await fingerprint(after) };
    if (basis.before === basis.after) {
      throw new WorkspaceError("invalid", `${edit.path} is like that already: nothing would change.`);
    }
    const { diff, isWhole } = fileDiff(edit.path, before, after);
    const subject = { type: "edit", path: edit.path, diff, ...(isWhole ? {} : { truncated: true }) } as const;
    return { subject, basis: JSON.stringify(basis) };
  },
  run: (ctx) => answerRefusal(async () => runEdit(await open(), edit, ctx)),
  recover: async (ctx) => {
    const basis = basisOf(ctx.shown);
    if (basis === undefined) return "unknown";
    const found = await fingerprint(await findFile(await open(), edit.path));
    if (found === basis.after) return changed(edit, basis, ctx.shown);
    if (found !== basis.before) return "unknown";
    return ctx.signal.aborted ? "no_effect" : "rerun";
  },
});

const runEdit = async (workspace: Workspace, edit: FileEdit, ctx: ToolContext): Promise<ToolResult | "no_effect"> => {
  const { path } = edit;
  const basis = basisOf(ctx.shown);
  const before = await findFile(workspace, path);
  if (basis === undefined || (await fingerprint(before)) !== basis.before) return staleResult(path);
  const after = edit.apply(before);
  if ((await fingerprint(after)) !== basis.after) return staleResult(path);
  if (ctx.signal.aborted) return "no_effect";
  try {
    await store(workspace, path, after);
  } catch (error) {
    if (!(error instanceof WorkspaceError) || error.code !== "unavailable") throw error;
    // The answer was lost, perhaps behind the effect.
    return (await isStored(workspace, path, basis.after)) ? changed(edit, basis, ctx.shown) : lostResult(path);
  }
  return changed(edit, basis, ctx.shown);
};

const store = async (workspace: Workspace, path: string, after: FoundFile): Promise<void> => {
  if (after.type === "whole") await workspace.write(path, after.bytes);
  else await workspace.delete(path);
};

const isStored = async (workspace: Workspace, path: string, after: string): Promise<boolean> => {
  try {
    return (await fingerprint(await findFile(workspace, path))) === after;
  } catch {
    // Still out of reach: then nobody can tell.
    return false;
  }
};

type Basis = z.infer<typeof Basis>;

const basisOf = (shown: Proposal | undefined): Basis | undefined =>
  shown?.basis === undefined ? undefined : Basis.parse(JSON.parse(shown.basis));

const changed = ({ path }: FileEdit, basis: Basis, shown: Proposal | undefined): ToolResult => {
  const operation = basis.before === "absent" ? "create" : basis.after === "absent" ? "delete" : "update";
  const diff = shown?.subject.type === "edit" ? shown.subject.diff : "";
  const fileChange: FileChange = { path, operation, diff };
  return { output: `${DONE[operation]} ${path}.`, isError: false, fileChange };
};

const DONE = { create: "Created", update: "Changed", delete: "Deleted" } as const;

const staleResult = (path: string): ToolResult => ({
  output: `${path} has changed since this change was shown, so nothing was written. Read it again, then call the tool anew.`,
  isError: true,
});

const lostResult = (path: string): ToolResult => ({
  output: `The workspace could not be reached in mid-change: it is not known whether ${path} was changed. Read it before you do it again.`,
  isError: true,
  isUnknown: true,
});
