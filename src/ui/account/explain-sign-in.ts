/** What went wrong while signing in, in words that say what to do. */
import { ApiError } from "../actions/api-error.ts";
import { sayWait } from "./say-wait.ts";

/** The server's own words, with the wait it asks for. */
export const explainSignIn = (error: unknown): string => {
  if (!(error instanceof ApiError)) return "Something went wrong. Try again.";
  if (error.status !== 429) return error.message;
  const wait = error.retryAfterSeconds === undefined ? "later" : `in ${sayWait(error.retryAfterSeconds)}`;
  return `That was too often. Try again ${wait}.`;
};
