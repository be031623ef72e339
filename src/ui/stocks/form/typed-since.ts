/** Finds what a person typed in a form while it was being saved. The server's answer does not contain it, so it must not be lost. */
import { FORM_FIELDS, pickFields } from "../../../contract/stocks/stock-field-keys.ts";
import type { FormValues } from "./form-values.ts";
import { readForm } from "./read-form.ts";

/**
 * The fields whose meaning in `now` differs from `sent`, which has no problems; undefined when there are none. Another spelling of the
 * same value is not a change: leaving a field may rewrite what is in it.
 */
export const typedSince = (sent: FormValues, now: FormValues, locale: string): Partial<FormValues> | undefined => {
  const before = readForm(sent, locale).values;
  const after = readForm(now, locale);
  const changed = FORM_FIELDS.filter(
    (field) =>
      differs(sent[field], now[field]) &&
      (after.problems[field] !== undefined || differs(before[field], after.values[field])),
  );
  const { openTag } = now;
  const isTagOpen = openTag !== undefined && openTag !== sent.openTag;
  return changed.length === 0 && !isTagOpen ? undefined : { ...pickFields(now, changed), openTag };
};

const differs = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other);
