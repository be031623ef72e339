/** What came of having a chat summarized, in words. */
import type { ThreadCompaction } from "../../../contract/thread.ts";
import { ApiError } from "../../actions/api-error.ts";
import { explainProblem } from "../conversation/explain-problem.ts";
import { formatTokens } from "../conversation/format-tokens.ts";

/** Equal figures say that there was nothing to do. */
export const compactedWords = ({ tokensBefore, tokensAfter }: Omit<ThreadCompaction, "ok">): string =>
  tokensBefore === tokensAfter
    ? "There is nothing to summarize in this chat yet."
    : `Earlier messages were summarized: ${formatTokens(tokensBefore)} → ${formatTokens(tokensAfter)} tokens.`;

/** Says what to do; the server's own words where they do. */
export const explainCompaction = (error: unknown): string => {
  const status = error instanceof ApiError ? error.status : undefined;
  if (status === 409) return "The agent is at work in this chat. Try again when it is done.";
  if (status === 503) return "The summary took too long. Nothing is lost: try again in a while.";
  return explainProblem(error);
};
