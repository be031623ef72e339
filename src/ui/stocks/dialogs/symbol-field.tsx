/** The first field: a symbol, or a whole stock in one line. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Field } from "../../parts/field.tsx";
import { expandLine, lineExample } from "./quick-text.ts";
import { FIELD_LABELS } from "./stock-field.ts";
import type { StockForm } from "./use-stock-form.ts";

type SymbolFieldProps = { readonly form: StockForm; readonly isNew: boolean };

/** A line is taken apart when the field is left, so that what was understood can be seen before it is saved. */
export const SymbolField = ({ form, isNew }: SymbolFieldProps) => {
  const locale = navigator.language;
  const [note, setNote] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (isNew) input.current?.focus();
  }, [isNew]);
  const takeApart = (): void => {
    if (form.values.symbol.trim() === "") return;
    const { values, problem, note: left } = expandLine(form.values, locale);
    setNote(left);
    if (problem === undefined) form.set(values);
  };
  return (
    <Field
      label={FIELD_LABELS.symbol}
      problem={form.problems.symbol}
      hint={note ?? (isNew ? `Or all in one line: ${lineExample(locale)}` : undefined)}
    >
      {(control) => (
        <input
          {...control}
          class="input symbol"
          type="text"
          name="symbol"
          required
          ref={input}
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellcheck={false}
          value={form.values.symbol}
          onInput={({ currentTarget }) => form.set({ symbol: currentTarget.value })}
          onBlur={takeApart}
        />
      )}
    </Field>
  );
};
