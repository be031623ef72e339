/** The symbol's field as a whole line: `AAPL 10 @ 180.5 USD #tech` fills the fields that it speaks of. */
import { symbolText } from "../../../contract/symbol-shape.ts";
import { editNumber } from "../../format/edit-number.ts";
import { readQuickAdd } from "../quick-add.ts";
import { type FormValues, withDraft } from "./form-values.ts";

/** `note` says what was left out. A `problem` belongs to the symbol's field. */
type Expansion = { readonly values: FormValues; readonly problem: string | undefined; readonly note?: string };

/** Whether a text says more than a symbol. */
const isLine = (text: string): boolean => /[\s:@#]/.test(text.trim());

/** Puts what the line says where it belongs. A line that cannot be read stays as it is. */
export const expandLine = (values: FormValues, locale: string): Expansion => {
  if (!isLine(values.symbol)) return { values: { ...values, symbol: symbolText(values.symbol) }, problem: undefined };
  const reading = readQuickAdd(values.symbol, locale);
  if (reading.kind === "problem") return { values, problem: reading.problem.replace(/^symbol: u/, "U") };
  if (reading.kind === "empty") return { values, problem: undefined };
  const [note] = reading.notes;
  return {
    values: withDraft(values, reading.draft, locale),
    problem: undefined,
    ...(note === undefined ? {} : { note }),
  };
};

/** A line to learn from, in the locale's spelling. */
export const lineExample = (locale: string): string => `AAPL 10 @ ${editNumber("180.5", locale)} USD #tech`;
