/** What went wrong with a request, in words that say what to do. */
import { sayWait } from "../../account/say-wait.ts";
import { ApiError } from "../../actions/api-error.ts";
import { isRefusedChoice } from "../models/model-choice.ts";

/** The server's own words, with the wait it asks for. */
export const explainProblem = (error: unknown): string => {
  if (!(error instanceof ApiError)) return "Something went wrong. Try again.";
  if (isRefusedChoice(error)) return `${error.message} The default is chosen again: send the message once more.`;
  if (error.retryAfterSeconds === undefined) return error.message;
  const words = error.message.replace(/ ?Try again later\.$| ?Try again\.$/, "");
  return `${words} Try again in ${sayWait(error.retryAfterSeconds)}.`;
};
