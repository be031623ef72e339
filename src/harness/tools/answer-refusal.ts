/** A workspace's refusal as a tool's result: the model reads why, and what to do instead. */
import { WorkspaceError } from "../../workspace/workspace.ts";
import type { ToolResult } from "./tool.ts";

/** The result of `work`, or a failed one in the words of the workspace. What is no refusal is a bug and thrown on. */
export const answerRefusal = async <Result>(work: () => Promise<Result>): Promise<Result | ToolResult> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return { output: error.message, isError: true };
  }
};
