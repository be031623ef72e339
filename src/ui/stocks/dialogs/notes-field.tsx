/** Notes: plain text of any shape. */
import { formatQuantity } from "../../format/format-quantity.ts";
import { Field } from "../../parts/field.tsx";
import type { StockForm } from "./use-stock-form.ts";

/** Characters that notes may have (CONTRACT §5), and from when on they are counted aloud. */
const MAX_NOTES = 4_000;
const NEARLY_FULL = 3_600;

/** Counts near the limit. Never cuts: what was pasted stays until the person has shortened it. */
export const NotesField = ({ form }: { readonly form: StockForm }) => {
  const { notes } = form.values;
  const count = (length: number): string => formatQuantity(String(length), navigator.language);
  return (
    <Field
      label="Notes"
      problem={form.problems.notes}
      hint={notes.length > NEARLY_FULL ? `${count(notes.length)} of ${count(MAX_NOTES)} characters` : undefined}
    >
      {(control) => (
        <textarea
          {...control}
          class="input notes"
          rows={4}
          value={notes}
          onInput={({ currentTarget }) => form.set({ notes: currentTarget.value })}
        />
      )}
    </Field>
  );
};
