import type { MAX_RUN_MESSAGES } from "../../../contract/turn.ts";
import { explainFailure } from "../../account/explain-failure.ts";
import { ApiError } from "../../api/api-error.ts";
import { isRefusedChoice } from "../model/model-choice.ts";

/** Our words for refusals that are worded for programs. */
const OURS: Readonly<Record<string, string>> = {
  "The thread is busy.": "The agent is working in this chat or summarizing it. Try again when it is done.",
  "Thread not found.": "This chat does not exist any more.",
};

/** Written out, because the contract's own constant would come with zod. */
const MOST_MESSAGES: typeof MAX_RUN_MESSAGES = 8;

/** Says what went wrong with a request and what to do: the server's own words where they fit, with the wait it asks for. */
export const explainProblem = (error: unknown): string => {
  if (!(error instanceof ApiError)) return explainFailure(error);
  if (isRefusedChoice(error)) return `${error.message} The default is selected again. Resend the message.`;
  if (error.code === "too_many_messages")
    return `The agent takes at most ${MOST_MESSAGES} messages while it answers. Queue this one instead.`;
  return OURS[error.message] ?? explainFailure(error);
};

/** The most runs that a chat has open: one that works, and eight that wait (api.md §1, Limits). */
const MOST_OPEN = 9;

/** The error of a refused turn. If the chat's own queue is full, as `openRuns` shows, it says so instead of the server's words. */
export const withQueueWords = (error: unknown, openRuns: number): unknown =>
  error instanceof ApiError && error.code === "too_many_runs" && openRuns >= MOST_OPEN
    ? new ApiError(error.status, "8 messages are already queued. Send more when one has started.", { cause: error })
    : error;

/** Statuses that the sign-in or a proxy gives before the message is looked at, so an earlier send of it may have arrived. */
const UNSEEN: readonly number[] = [401, 403];

/** Whether the server has refused the message, and so done nothing with it. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && !UNSEEN.includes(error.status);
