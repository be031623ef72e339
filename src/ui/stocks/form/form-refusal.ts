/** Why a form was not saved, and what a person can do about it. */
import { type FormField, isFormField } from "../../../contract/stocks/stock-field-keys.ts";
import { fieldSpec } from "../../../contract/stocks/stock-fields.ts";
import { ApiError, isTransient } from "../../api/api-error.ts";
import { errorText } from "../store/stock-failures.ts";
import { type FormProblems, sentence } from "./read-form.ts";

/**
 * Splits the server's refusal, such as `quantity: use 0 or more; isin: …`, by the fields it names.
 *
 * `rest` is the part that names no field of the form, or undefined when there is none.
 */
export const readServerProblems = (
  message: string,
): { readonly problems: FormProblems; readonly rest: string | undefined } => {
  const problems: Partial<Record<FormField, string>> = {};
  const rest: string[] = [];
  // Splits only before a field's name, because a remedy may contain a semicolon.
  for (const part of message.split(/; (?=[A-Za-z]+: )/)) {
    const [, field = "", remedy = ""] = /^([A-Za-z]+): (.*)$/s.exec(part) ?? [];
    if (isFormField(field)) problems[field] = forPeople(remedy);
    else rest.push(part);
  }
  return { problems, rest: rest.length === 0 ? undefined : sentence(rest.join("; ")) };
};

/** Rewords a remedy, which is also written for programs: a person clears a field instead of setting it to null. */
const forPeople = (remedy: string): string =>
  sentence(
    remedy
      .replace(/, otherwise set it to null$/, ", or leave this empty")
      .replace(/, or null$/, ", or leave this empty")
      .replace(/\b(targetLow|targetHigh|avgCost|lastPrice)\b/g, (field) =>
        isFormField(field) ? `“${fieldSpec(field).label}”` : field,
      ),
  );

/**
 * `listed`: another stock in the list has this symbol. `gone`: the stock is no longer in the list. `note` is undefined
 * when the problems of the fields say everything.
 */
export type FormRefusal = {
  readonly kind: "listed" | "gone" | "other";
  readonly problems: FormProblems;
  readonly note: string | undefined;
};

/** Why a change of one stock failed. The server's words for a conflict are for programs: they name versions and fields. */
export const changeProblem = (error: unknown): string =>
  error instanceof ApiError && error.code === "stale_version"
    ? "It was changed elsewhere meanwhile. Check it, then try again."
    : errorText(error);

/** Turns the error of a write into what the form shows. The caller handles version conflicts before it calls this. */
export const refusalOf = (error: unknown): FormRefusal => {
  const message = changeProblem(error);
  const { status, code } = error instanceof ApiError ? error : {};
  if (status === 400) {
    const { problems, rest } = readServerProblems(message);
    return { kind: "other", problems, note: rest };
  }
  if (code === "symbol_taken") {
    return {
      kind: "listed",
      problems: { symbol: message },
      note: "It is already in your list. Edit that one instead?",
    };
  }
  if (status === 404) return { kind: "gone", problems: {}, note: "This stock was deleted in the meantime." };
  if (status === 422) {
    const note = "An earlier try was saved with other values. Check your list first.";
    return { kind: "other", problems: {}, note };
  }
  const note = isTransient(error) ? `Not saved. ${message} What you typed is still here.` : message;
  return { kind: "other", problems: {}, note };
};
