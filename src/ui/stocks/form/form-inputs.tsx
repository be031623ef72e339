/** Inputs and sections of the stock form. Amounts are text inputs: number inputs do not accept every locale. */
import { IconChevronRight } from "@tabler/icons-preact";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { DecimalField, FormField, TextField } from "../../../contract/stocks/stock-field-keys.ts";
import { fieldSpec } from "../../../contract/stocks/stock-fields.ts";
import { formatQuantity, LOCALE } from "../../format/format-number.ts";
import { Field } from "../../parts/field.tsx";
import { allTags, EMPTY_FORM, type FormValues } from "./form-values.ts";
import type { StockForm } from "./use-stock-form.ts";

/** Fields that are one line of text. */
type LineField = Extract<FormField, TextField> | DecimalField;

/** `list` is the id of a datalist with suggestions. */
type FormInputProps = { readonly form: StockForm; readonly field: LineField; readonly list?: string };

/** A line of text, bound to the form. On a phone, amounts bring up the number pad. */
export const FormInput = ({ form, field, list }: FormInputProps) => {
  const { kind, label, hint } = fieldSpec(field);
  const isAmount = kind === "decimal";
  return (
    <Field label={label} hint={hint} problem={form.problems[field]}>
      {(control) => (
        <input
          {...control}
          class={isAmount ? "input amount" : "input"}
          type="text"
          inputMode={isAmount ? "decimal" : "text"}
          dir={isAmount ? undefined : "auto"}
          autoComplete="off"
          spellcheck={false}
          list={list}
          value={form.values[field]}
          onInput={({ currentTarget }) => form.set(changeOf(field, currentTarget.value))}
        />
      )}
    </Field>
  );
};

const changeOf = (field: LineField, text: string): Partial<FormValues> => ({ [field]: text });

type FormSectionProps = {
  readonly form: StockForm;
  readonly title: string;
  /** A summary of the content, shown beside the title. */
  readonly about: string;
  readonly fields: readonly FormField[];
  readonly children: ComponentChildren;
};

/**
 * A part of the form that stays closed while it is empty: a new stock needs only a symbol.
 *
 * Opens by itself when a quick-add line fills one of its fields, or when one has a problem.
 */
export const FormSection = ({ form, title, about, fields, children }: FormSectionProps) => {
  const values = { ...form.values, tags: allTags(form.values) };
  const isFilled = fields.some((field) => isEmpty(EMPTY_FORM[field]) && !isEmpty(values[field]));
  const hasProblem = fields.some((field) => form.problems[field] !== undefined);
  const [isOpen, setOpen] = useState(isFilled);
  useEffect(() => {
    if (isFilled || hasProblem) setOpen(true);
  }, [isFilled, hasProblem]);
  return (
    <details
      class="form-section"
      open={isOpen || hasProblem}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <IconChevronRight size={16} stroke={1.75} aria-hidden="true" />
        {title} <span class="muted">{about}</span>
      </summary>
      <div class="form-grid">{children}</div>
    </details>
  );
};

const isEmpty = (value: unknown): boolean => value === "" || (Array.isArray(value) && value.length === 0);

/** The most characters that notes may have (api.md §5), and the length from which the form counts them. */
const MAX_NOTES = 4_000;

const NEARLY_FULL = 3_600;

/** Counts near the limit. Never truncates: pasted text stays until the person shortens it. */
export const NotesField = ({ form }: { readonly form: StockForm }) => {
  const { notes } = form.values;
  const count = (length: number): string => formatQuantity(String(length), LOCALE);
  return (
    <Field
      label={fieldSpec("notes").label}
      problem={form.problems.notes}
      hint={notes.length > NEARLY_FULL ? `${count(notes.length)} of ${count(MAX_NOTES)} characters` : undefined}
    >
      {(control) => (
        <textarea
          {...control}
          class="input notes"
          dir="auto"
          rows={4}
          value={notes}
          onInput={({ currentTarget }) => form.set({ notes: currentTarget.value })}
        />
      )}
    </Field>
  );
};
