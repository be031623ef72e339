/** Why a form was not saved, and what a person can do about it. */
import { ApiError, isTransient } from "../../actions/api-error.ts";
import { errorText } from "../stock-failures.ts";
import type { FormProblems } from "./read-form.ts";
import { readServerProblems } from "./server-problems.ts";

/**
 * `listed`: another stock of the list has this symbol. `gone`: the stock is no longer in the list. `other`: the note
 * says it all; undefined where the fields say it.
 */
export type FormRefusal = {
  readonly kind: "listed" | "gone" | "other";
  readonly problems: FormProblems;
  readonly note: string | undefined;
};

/** Reads the answer of a write. A version that is too old is for the caller to tell apart before. */
export const refusalOf = (error: unknown): FormRefusal => {
  const message = errorText(error);
  const status = error instanceof ApiError ? error.status : undefined;
  if (status === 400) {
    const { problems, rest } = readServerProblems(message);
    return { kind: "other", problems, note: rest };
  }
  if (status === 409 && message.includes("already in your list")) {
    return {
      kind: "listed",
      problems: { symbol: message },
      note: "It is in your list already. Change that one instead?",
    };
  }
  if (status === 404) return { kind: "gone", problems: {}, note: "This stock was deleted meanwhile." };
  if (status === 422) {
    const note = "An earlier try of this form has added a stock. Look at the list before you add this one as well.";
    return { kind: "other", problems: {}, note };
  }
  const note = isTransient(error) ? `Not saved. ${message} What you typed is still here.` : message;
  return { kind: "other", problems: {}, note };
};
