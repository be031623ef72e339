/** Edits a stock: only what was changed is sent, on top of the version that was opened. */
import { useLayoutEffect, useState } from "preact/hooks";
import type { Stock } from "../../../contract/stock.ts";
import { useStocksPlace } from "../../navigation/use-stocks-place.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ConflictView } from "./conflict-view.tsx";
import { DiscardDialog } from "./discard-dialog.tsx";
import { patchOf } from "./form-patch.ts";
import { type FormValues, formOf } from "./form-values.ts";
import { useKeptForm } from "./kept-forms.ts";
import { type FormReading, readForm, readingOf } from "./read-form.ts";
import { RefusalNote } from "./refusal-note.tsx";
import { StockFields } from "./stock-fields.tsx";
import { useSaveEdit } from "./use-save-edit.ts";
import { useStockForm } from "./use-stock-form.ts";

type EditFormProps = {
  readonly base: Stock;
  /** What was typed before, when the form goes on. */
  readonly start: FormValues | undefined;
  /** Something was typed: `base` must stay as it is. */
  readonly onTouched: () => void;
};

/** Closes when it is saved. */
export const EditForm = ({ base, start, onTouched }: EditFormProps) => {
  const locale = navigator.language;
  const { go, closeDialog } = useStocksPlace();
  const [clean] = useState(() => formOf(base, locale));
  const form = useStockForm(clean, start ?? clean);
  const [isLeaving, setLeaving] = useState(false);
  // At once: a stock that changes before the next frame would bring a new form, without what was typed.
  useLayoutEffect(() => {
    if (form.isDirty) onTouched();
  });
  const kept = useKeptForm({
    name: base.id,
    values: form.values,
    base,
    isDirty: form.isDirty,
    title: base.symbol,
    reopen: () => go({ dialog: "edit", stockId: base.id }),
  });
  const save = useSaveEdit(base, { kept, form, onSaved: closeDialog });

  const send = (isRestore: boolean): void => {
    const { values, problems } = readForm(form.values, locale);
    const set = patchOf(readingOf(base), values);
    if (Object.keys(problems).length > 0) form.refuse(problems);
    else if (isRestore) void save.send({ set: set ?? {}, version: undefined, isRestore });
    else if (set) void save.send({ set, version: base.version, isRestore });
    else leave();
  };
  const leave = (): void => {
    kept.settle();
    closeDialog();
  };
  const close = (): void => (form.isDirty ? setLeaving(true) : closeDialog());
  const label = save.isSaving ? "Saving…" : "Save";

  if (save.conflict) {
    const { theirs } = save.conflict;
    const merge = (merged: FormReading): void => {
      const set = patchOf(readingOf(theirs), merged);
      if (set) void save.send({ set, version: theirs.version, isRestore: false });
      else leave();
    };
    return (
      <ConflictView
        key={theirs.version}
        base={base}
        mine={readForm(form.values, locale).values}
        theirs={theirs}
        isSaving={save.isSaving}
        note={save.refusal?.note ?? Object.values(save.refusal?.problems ?? {})[0]}
        onBack={save.forgetConflict}
        onSave={merge}
      />
    );
  }
  return (
    <>
      {/* Before the form: it goes first, and gives the focus back to the form, which gives it on. */}
      {isLeaving && <DiscardDialog onKeep={() => setLeaving(false)} onDiscard={leave} />}
      <Dialog
        title={`Edit ${base.symbol}`}
        isTall
        onClose={close}
        onSubmit={() => send(false)}
        footer={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button tone="primary" type="submit" aria-disabled={save.isSaving}>
              {label}
            </Button>
          </>
        }
      >
        <RefusalNote refusal={save.refusal} values={form.values} onRestore={() => send(true)} />
        <StockFields form={form} />
      </Dialog>
    </>
  );
};
