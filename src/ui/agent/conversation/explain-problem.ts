import { ApiError } from "../../api/api-error.ts";
import { sayWait } from "../../format/wait-words.ts";
import { isRefusedChoice } from "../model/model-choice.ts";

/** Says what went wrong with a request and what to do: the server's own words, with the wait it asks for. */
export const explainProblem = (error: unknown): string => {
  if (!(error instanceof ApiError)) return "Something went wrong. Try again.";
  if (isRefusedChoice(error)) return `${error.message} The default is selected again. Resend the message.`;
  if (error.retryAfterSeconds === undefined) return error.message;
  const words = error.message.replace(/ ?Try again later\.$| ?Try again\.$/, "");
  return `${words} Try again in ${sayWait(error.retryAfterSeconds)}.`;
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
