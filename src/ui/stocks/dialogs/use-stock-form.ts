/** The state of a stock's form: what is typed, what is wrong with it, and where the focus goes then. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { FormValues } from "./form-values.ts";
import type { FormProblems } from "./read-form.ts";

/** A form that fields are bound to. */
export type StockForm = {
  readonly values: FormValues;
  readonly problems: FormProblems;
  /** Something differs from what the form started with. */
  readonly isDirty: boolean;
  /** Takes what was typed; the problems of these fields are gone with it. */
  readonly set: (change: Partial<FormValues>) => void;
  /** Shows what is wrong and brings the person to the first of it. */
  readonly refuse: (problems: FormProblems) => void;
  /** Goes around the fields: the focus moves within it. */
  readonly ref: RefObject<HTMLDivElement>;
};

/** `start` differs from `clean` when the form goes on with what was typed before, or with a draft. */
export const useStockForm = (clean: FormValues, start: FormValues, startProblems: FormProblems = {}): StockForm => {
  const ref = useRef<HTMLDivElement>(null);
  const [values, setValues] = useState(start);
  const [{ problems, refusals }, setRefused] = useState({ problems: startProblems, refusals: 0 });
  useLayoutEffect(() => {
    if (refusals > 0) ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);
  return {
    values,
    problems,
    isDirty: JSON.stringify(values) !== JSON.stringify(clean),
    set: (change) => {
      setValues((now) => ({ ...now, ...change }));
      setRefused((now) => ({ ...now, problems: without(now.problems, Object.keys(change)) }));
    },
    refuse: (found) => setRefused((now) => ({ problems: found, refusals: now.refusals + 1 })),
    ref,
  };
};

const without = (problems: FormProblems, fields: readonly string[]): FormProblems =>
  Object.fromEntries(Object.entries(problems).filter(([field]) => !fields.includes(field)));
