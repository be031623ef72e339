/** The text fields of a stock's form. Amounts are text: a number field would refuse what a locale calls a number. */
import type { ComponentChildren } from "preact";
import { Field } from "../../parts/field.tsx";
import type { FormValues } from "./form-values.ts";
import { FIELD_LABELS, type StockField } from "./stock-field.ts";
import type { StockForm } from "./use-stock-form.ts";

/** Fields that are one line of text. */
type TextField = Extract<
  StockField,
  "name" | "exchange" | "isin" | "sector" | "quantity" | "avgCost" | "lastPrice" | "targetLow" | "targetHigh"
>;

type FormInputProps = {
  readonly form: StockForm;
  readonly field: TextField;
  readonly hint?: ComponentChildren;
  /** Brings up the digits on a phone. */
  readonly isAmount?: boolean;
  readonly list?: string;
  readonly placeholder?: string;
};

/** One line, bound to the form. */
export const FormInput = ({ form, field, hint, isAmount, list, placeholder }: FormInputProps) => (
  <Field label={FIELD_LABELS[field]} hint={hint} problem={form.problems[field]}>
    {(control) => (
      <input
        {...control}
        class={isAmount ? "input amount" : "input"}
        type="text"
        inputMode={isAmount ? "decimal" : "text"}
        autoComplete="off"
        spellcheck={false}
        list={list}
        placeholder={placeholder}
        value={form.values[field]}
        onInput={({ currentTarget }) => form.set(changeOf(field, currentTarget.value))}
      />
    )}
  </Field>
);

const changeOf = (field: TextField, text: string): Partial<FormValues> => ({ [field]: text });
