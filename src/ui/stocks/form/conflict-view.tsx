/** Resolves an edit conflict: the person chooses, field by field, between their version and the saved one. */
import { useState } from "preact/hooks";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { FORM_FIELDS, type FormField } from "../../../contract/stocks/stock-field-keys.ts";
import { fieldSpec } from "../../../contract/stocks/stock-fields.ts";
import { LOCALE } from "../../format/format-number.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { fieldText } from "./field-text.ts";
import type { FormReading } from "./form-values.ts";
import { readingOf } from "./read-form.ts";

/** A field in which the versions differ. `by` says who has changed it since the form was opened. */
type Difference = { readonly field: FormField; readonly by: "me" | "them" | "both" };

/** The fields in which `mine` and `theirs` differ, in the order of the form. `base` is what both started from. */
export const compareVersions = (base: FormReading, mine: FormReading, theirs: FormReading): readonly Difference[] =>
  FORM_FIELDS.filter((field) => differs(mine[field], theirs[field])).map((field) => {
    const isMine = differs(base[field], mine[field]);
    const isTheirs = differs(base[field], theirs[field]);
    return { field, by: isMine && isTheirs ? "both" : isMine ? "me" : "them" };
  });

/** `theirs`, with the chosen fields from `mine`. */
export const mergeVersions = (mine: FormReading, theirs: FormReading, chosen: ReadonlySet<FormField>): FormReading => ({
  ...theirs,
  ...Object.fromEntries(FORM_FIELDS.filter((field) => chosen.has(field)).map((field) => [field, mine[field]])),
});

const differs = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other);

type ConflictViewProps = {
  readonly base: Stock;
  readonly mine: FormReading;
  readonly theirs: Stock;
  readonly isSaving: boolean;
  /** Why the merged stock was not saved. */
  readonly note: string | undefined;
  /** Returns to the form and keeps what was typed. */
  readonly onBack: () => void;
  readonly onSave: (merged: FormReading) => void;
};

const SAVERS = { screen: "on another screen", agent: "by the agent", import: "by an import" } as const;

/** Each field starts on the side that changed it, or on the person's own side when both did. */
export const ConflictView = ({ base, mine, theirs, isSaving, note, onBack, onSave }: ConflictViewProps) => {
  const saved = readingOf(theirs);
  const differences = compareVersions(readingOf(base), mine, saved);
  const [chosen, setChosen] = useState<ReadonlySet<FormField>>(
    () => new Set(differences.filter(({ by }) => by !== "them").map(({ field }) => field)),
  );
  const choose = (field: FormField, isMine: boolean): void =>
    setChosen((now) => new Set([...[...now].filter((other) => other !== field), ...(isMine ? [field] : [])]));
  return (
    <Dialog
      title={`${theirs.symbol} was changed in the meantime`}
      isTall
      onClose={onBack}
      onSubmit={() => onSave(mergeVersions(mine, saved, chosen))}
      footer={
        <>
          <Button onClick={onBack}>Back to the form</Button>
          <Button tone="primary" type="submit" aria-disabled={isSaving}>
            {isSaving ? "Saving…" : "Save these"}
          </Button>
        </>
      }
    >
      <p class="muted">It was saved {SAVERS[theirs.updatedVia]} while you were editing. Choose what to keep.</p>
      {note && (
        <p class="form-note bad" role="alert">
          {note}
        </p>
      )}
      {differences.map(({ field, by }) => (
        <fieldset class="conflict" key={field}>
          <legend>{fieldSpec(field).label}</legend>
          {[true, false].map((isMine) => {
            const label = isMine ? MINE[by] : "Saved";
            const { [field]: value, currency } = isMine ? mine : saved;
            return (
              <label key={label}>
                <input
                  type="radio"
                  name={field}
                  checked={chosen.has(field) === isMine}
                  onChange={() => choose(field, isMine)}
                />
                <span>
                  <span class="muted">{label}</span>
                  <span class="value">{fieldText(field, value, currency, LOCALE)}</span>
                </span>
              </label>
            );
          })}
        </fieldset>
      ))}
      {differences.length === 0 && <p>Both versions are now the same. There is nothing to choose.</p>}
    </Dialog>
  );
};

/** Labels the form's own value. A field that the person has not changed holds what the stock had before. */
const MINE = { me: "Yours", both: "Yours", them: "Before" } as const;
