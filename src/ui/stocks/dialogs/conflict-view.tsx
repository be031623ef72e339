/** Two versions of a stock, field by field: the person's and the one saved meanwhile. Nothing is chosen unseen. */
import { useState } from "preact/hooks";
import type { Stock } from "../../../contract/stock.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { compareVersions, mergeVersions } from "./compare-versions.ts";
import { fieldText } from "./field-text.ts";
import { type FormReading, readingOf } from "./read-form.ts";
import { FIELD_LABELS, type StockField } from "./stock-field.ts";

type ConflictViewProps = {
  readonly base: Stock;
  readonly mine: FormReading;
  readonly theirs: Stock;
  readonly isSaving: boolean;
  /** Why the merged stock was not saved. */
  readonly note: string | undefined;
  /** Back to the form, with all that was typed. */
  readonly onBack: () => void;
  readonly onSave: (merged: FormReading) => void;
};

const SAVERS = { screen: "on another screen", agent: "by the agent", import: "by an import" } as const;

/** Each field starts with the side that has changed it; with the person's own where both have. */
export const ConflictView = ({ base, mine, theirs, isSaving, note, onBack, onSave }: ConflictViewProps) => {
  const saved = readingOf(theirs);
  const differences = compareVersions(readingOf(base), mine, saved);
  const [chosen, setChosen] = useState<ReadonlySet<StockField>>(
    () => new Set(differences.filter(({ by }) => by !== "them").map(({ field }) => field)),
  );
  const choose = (field: StockField, isMine: boolean): void =>
    setChosen((now) => new Set([...[...now].filter((other) => other !== field), ...(isMine ? [field] : [])]));
  return (
    <Dialog
      title={`${theirs.symbol} has changed meanwhile`}
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
      {differences.map(({ field }) => (
        <fieldset class="conflict" key={field}>
          <legend>{FIELD_LABELS[field]}</legend>
          {SIDES.map(({ isMine, label }) => {
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
                  <span class="value">{fieldText(field, value, currency, navigator.language)}</span>
                </span>
              </label>
            );
          })}
        </fieldset>
      ))}
      {differences.length === 0 && <p>Both say the same by now: there is nothing to choose.</p>}
    </Dialog>
  );
};

const SIDES = [
  { isMine: true, label: "Yours" },
  { isMine: false, label: "Saved" },
] as const;
