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

/** Line ends, other control characters, and those that change the direction of text; a quote at the start says that a name is quoted. */
const MISLEADING = /^"|[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const UNQUOTED = /[\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A path as the model reads it: written as JSON if it could be mistaken for other lines or another name. */
export const shownPath = (path: string): string =>
  MISLEADING.test(path)
    ? JSON.stringify(path).replace(UNQUOTED, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`)
    : path;

/** The result of `work`, or a failed result with the workspace's message. Any other error is a bug and is rethrown. */
export const answerRefusal = async <Result>(work: () => Promise<Result>): Promise<Result | ToolResult> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return { output: error.message, isError: true };
  }
};
