import { ApiError } from "../api/api-error.ts";
import { sayWait } from "../format/wait-words.ts";

/** Says what went wrong in the server's words; for a 429 in our own, with the wait that it asks for. */
export const explainFailure = (error: unknown): string => {
  if (!(error instanceof ApiError)) return "Something went wrong. Try again.";
  if (error.status !== 429) return error.message;
  const wait = error.retryAfterSeconds === undefined ? "later" : `in ${sayWait(error.retryAfterSeconds)}`;
  return `Too many attempts. Try again ${wait}.`;
};
