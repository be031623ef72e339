/** What a client reads of an answer. */
import { expect } from "vitest";

/** Status and body; an answer without a body has `null`. */
export type Answer = { readonly status: number; readonly body: unknown };

/** The status that an abort of a run at work answers: within 3 s, whether or not the run has ended by then. Its transcript says how it ended. */
export const STOPPED_OR_STOPPING: unknown = expect.stringMatching(/^abort(ed|ing)$/);

/** Reads an answer whole. @throws {SyntaxError} when its body is no JSON. */
export const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
};
