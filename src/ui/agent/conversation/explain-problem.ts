/** What went wrong with a request, in words that say what to do. */
import { ApiError } from "../../actions/api-error.ts";

/** The server's own words, with the wait it asks for. */
export const explainProblem = (error: unknown): string => {
  if (!(error instanceof ApiError)) return "Something went wrong. Try again.";
  if (error.retryAfterSeconds === undefined) return error.message;
  const wait = error.retryAfterSeconds === 1 ? "1 second" : `${error.retryAfterSeconds} seconds`;
  const words = error.message.replace(/ ?Try again later\.$| ?Try again\.$/, "");
  return `${words} Try again in ${wait}.`;
};
