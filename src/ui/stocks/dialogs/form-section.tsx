/** A part of the form that stays closed until it holds something: a new stock needs no more than its symbol. */
import { IconChevronRight } from "@tabler/icons-preact";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { StockField } from "./stock-field.ts";
import type { StockForm } from "./use-stock-form.ts";

type FormSectionProps = {
  readonly form: StockForm;
  readonly title: string;
  /** What is in it, for who has not opened it yet. */
  readonly about: string;
  readonly fields: readonly StockField[];
  readonly children: ComponentChildren;
};

/** Opens by itself when a field in it gets a value from a line, or has a problem. */
export const FormSection = ({ form, title, about, fields, children }: FormSectionProps) => {
  const isFilled = fields.some((field) => !isEmpty(form.values[field]));
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
