/** Results of calls to a workspace object as data: an exception would lose its class and code between two objects. */
import { WorkspaceError, type WorkspaceErrorCode } from "./workspace.ts";

export type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly code: WorkspaceErrorCode; readonly message: string };

/** The outcome of a call as data. Anything but a refusal is a bug, and is thrown. */
export const answer = async <Value>(call: () => Promise<Value>): Promise<Answer<Value>> => {
  try {
    return { ok: true, value: await call() };
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return { ok: false, code: error.code, message: error.message };
  }
};

/** The value of an answer. @throws {WorkspaceError} the refusal in it. */
export const unwrapAnswer = <Value>(outcome: Answer<Value>): Value => {
  if (outcome.ok) return outcome.value;
  throw new WorkspaceError(outcome.code, outcome.message);
};
