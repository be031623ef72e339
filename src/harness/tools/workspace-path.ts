/** A path in a tool's input: resolved, so that what is shown, what a rule covers and what is done name the same file. */
import * as z from "zod";
import { resolvePath } from "../../workspace/resolve-path.ts";
import { WorkspaceError } from "../../workspace/workspace.ts";

/** A path below the workspace's root, or `.`; what leaves the root is a problem of its field. */
export const WorkspacePath = z.string().transform((given, ctx) => {
  try {
    return resolvePath(given);
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    ctx.addIssue({ code: "custom", message: error.message });
    return z.NEVER;
  }
});
