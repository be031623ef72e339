/** A path in a tool's input: resolved, so that what is shown, what a rule covers and what is done name the same file. */
import * as z from "zod";
import { resolvePath } from "../../workspace/resolve-path.ts";
import { WorkspaceError } from "../../workspace/workspace.ts";
import type { ToolResult } from "./tool.ts";

/** A path below the workspace's root, or `.`; a path that leaves the root is a problem with the field. */
export const WorkspacePath = z.string().transform((given, ctx) => {
  try {
    return resolvePath(given);
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    ctx.addIssue({ code: "custom", message: error.message });
    return z.NEVER;
  }
});

/** The result of `work`, or a failed result with the workspace's message. Any other error is a bug and is rethrown. */
export const answerRefusal = async <Result>(work: () => Promise<Result>): Promise<Result | ToolResult> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return { output: error.message, isError: true };
  }
};
