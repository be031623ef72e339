/** Edits a stock once it has loaded. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { LOCALE } from "../../format/format-number.ts";
import { useStocksPlace } from "../../navigation/stocks-place.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { UnknownStock, useOpenStock } from "../detail/open-stock.tsx";
import { lastWrite } from "../store/use-stock-actions.ts";
import { ConflictView } from "./conflict-view.tsx";
import { DiscardDialog } from "./discard-dialog.tsx";
import type { FormReading } from "./form-values.ts";
import { type FormValues, formOf, patchOf } from "./form-values.ts";
import { type KeptForm, takeKeptForm, useKeptForm } from "./kept-forms.ts";
import { readForm, readingOf } from "./read-form.ts";
import { RefusalNote } from "./refusal-note.tsx";
import { StockFields } from "./stock-fields.tsx";
import { useSaveEdit, useStockForm } from "./use-stock-form.ts";

type EditFormProps = {
  /** The stock as it is when the form is opened. */
  readonly opened: Stock;
  /** Unsaved input from an earlier form, if there is any. */
  readonly start: FormValues | undefined;
  /** Called once something was typed: from then on `opened` must not change. */
  readonly onTouched: () => void;
};

/** Closes when it is saved, unless something was typed meanwhile: with that, it goes on from the saved stock. */
const EditForm = ({ opened, start, onTouched }: EditFormProps) => {
  const { go, closeDialog } = useStocksPlace();
  const [base, setBase] = useState(opened);
  const clean = useMemo(() => formOf(base, LOCALE), [base]);
  const form = useStockForm(clean, start ?? clean);
  const [isLeaving, setLeaving] = useState(false);
  // In a layout effect: if the stock changes before the next frame, a new form replaces this one and loses the input.
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
  const goOn = (saved: Stock, since: Partial<FormValues>): void => {
    const values = { ...formOf(saved, LOCALE), ...since };
    setBase(saved);
    form.set(values);
    kept.goOn({ values, base: saved });
  };
  const save = useSaveEdit(base, { kept, form, onSaved: closeDialog, onGoOn: goOn });

  const send = (isRestore: boolean): void => {
    const { values, problems } = readForm(form.values, LOCALE);
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
        mine={readForm(form.values, LOCALE).values}
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
      {/* Before the form: it unmounts first and returns the focus to the form, which then passes it on. */}
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

/** Whether what the person changed before they opened this form is saved: otherwise the form would conflict with their own change. */
const useWritten = (id: string): boolean => {
  const [unwritten, setUnwritten] = useState(() => lastWrite(id));
  useEffect(() => {
    const settle = (): void => setUnwritten(undefined);
    void unwritten?.then(settle, settle);
  }, [unwritten]);
  return unwritten === undefined;
};

/** Edits a stock that is not being written, or goes on with a form that was kept. */
export const EditDialog = ({ id }: { readonly id: string }) => {
  const { closeDialog } = useStocksPlace();
  const [kept] = useState(() => takeFormOf(id));
  const isWritten = useWritten(id);
  // A kept form brings its own version of the stock. It must be shown, or what was taken would be lost.
  if (isWritten || kept) return <LoadedEdit id={id} early={kept} />;
  return <UnknownStock isMissing={false} error={null} onRetry={() => {}} onClose={closeDialog} />;
};

const takeFormOf = (id: string): KeptForm | undefined => takeKeptForm((name) => name === id);

type LoadedEditProps = {
  readonly id: string;
  /** A form that was kept already when the dialog opened. */
  readonly early: KeptForm | undefined;
};

/** The form follows the stock until something is typed. From then on it stays on the version that the person saw. */
const LoadedEdit = ({ id, early }: LoadedEditProps) => {
  const { closeDialog } = useStocksPlace();
  // The dialog may have waited for a save of this form, which failed, so that the form was kept meanwhile.
  const [kept] = useState(() => early ?? takeFormOf(id));
  const { stock, isMissing, error, retry } = useOpenStock(id);
  const touched = useRef<Stock | undefined>(kept?.base);
  const base = touched.current ?? stock;
  if (!base) return <UnknownStock isMissing={isMissing} error={error} onRetry={retry} onClose={closeDialog} />;
  const touch = (): void => {
    touched.current = base;
  };
  return <EditForm key={base.version} opened={base} start={kept?.values} onTouched={touch} />;
};
