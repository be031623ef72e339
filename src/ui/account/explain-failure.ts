import { ApiError } from "../api/api-error.ts";
import { sayWait } from "../format/wait-words.ts";

/** Says what went wrong in the server's words, with the wait that it asks for. */
export const explainFailure = (error: unknown): string => {
  if (!(error instanceof ApiError)) return "Something went wrong. Try again.";
  if (error.retryAfterSeconds === undefined) return error.message;
  const words = error.message.replace(/ ?Try again( later)?\.$/, "");
  return `${words} Try again in ${sayWait(error.retryAfterSeconds)}.`;
};
