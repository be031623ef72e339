/** The server's refusal of a form, `quantity: use 0 or more; isin: …`, put to the fields it names. */
import { type FormProblems, sentence } from "./read-form.ts";
import { FIELD_LABELS, isStockField, type StockField } from "./stock-field.ts";

/** `rest` is what names no field of the form; undefined when nothing is left. */
export const readServerProblems = (
  message: string,
): { readonly problems: FormProblems; readonly rest: string | undefined } => {
  const problems: Partial<Record<StockField, string>> = {};
  const rest: string[] = [];
  // Split only before what is a field's name: a remedy may hold a semicolon itself.
  for (const part of message.split(/; (?=[A-Za-z]+: )/)) {
    const [, field = "", remedy = ""] = /^([A-Za-z]+): (.*)$/s.exec(part) ?? [];
    if (isStockField(field)) problems[field] = forPeople(remedy);
    else rest.push(part);
  }
  return { problems, rest: rest.length === 0 ? undefined : sentence(rest.join("; ")) };
};

/** The server speaks to programs as well; a person clears a field instead of setting it to null. */
const forPeople = (remedy: string): string =>
  sentence(
    remedy
      .replace(/, otherwise set it to null$/, ", or leave this empty")
      .replace(/, or null$/, ", or leave this empty")
      .replace(/\b(targetLow|targetHigh|avgCost|lastPrice)\b/g, (field) =>
        isStockField(field) ? `“${FIELD_LABELS[field]}”` : field,
      ),
  );
