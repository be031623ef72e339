/** What a client reads of an answer. */

/** Status and body; an answer without a body has `null`. */
export type Answer = { readonly status: number; readonly body: unknown };

/** Reads an answer whole. @throws {SyntaxError} when its body is no JSON. */
export const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
};
