/** Adds a stock. Sent under one key for as long as the form is open, so that trying again never adds it twice. */
import { useQueryClient } from "@tanstack/preact-query";
import { useRef, useState } from "preact/hooks";
import { ApiError } from "../../actions/api-error.ts";
import { useStocksPlace } from "../../navigation/use-stocks-place.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { showToast } from "../../parts/toasts.tsx";
import { STOCK_LIST_KEY } from "../stock-store.ts";
import { useStockActions } from "../use-stock-actions.ts";
import { DiscardDialog } from "./discard-dialog.tsx";
import { draftOf } from "./form-patch.ts";
import { type FormRefusal, refusalOf } from "./form-refusal.ts";
import { EMPTY_FORM, type FormValues } from "./form-values.ts";
import { takeKeptForm, useKeptForm } from "./kept-forms.ts";
import { expandLine } from "./quick-text.ts";
import { type FormProblems, readForm } from "./read-form.ts";
import { RefusalNote } from "./refusal-note.tsx";
import { StockFields } from "./stock-fields.tsx";
import { useStockForm } from "./use-stock-form.ts";

const KEPT_NAME = "add";

/** Starts with what a link or an earlier form left. */
export const AddDialog = () => {
  const locale = navigator.language;
  const { place, go, closeDialog } = useStocksPlace();
  const actions = useStockActions();
  const client = useQueryClient();
  const [start] = useState(() => startOf(place.draft, locale));
  const form = useStockForm(EMPTY_FORM, start.values, start.problems);
  const key = useRef(crypto.randomUUID());
  const [isSaving, setSaving] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const [refusal, setRefusal] = useState<FormRefusal>();
  const title = form.values.symbol.trim().slice(0, 32) || "the new stock";
  const reopen = (): void => go({ dialog: "add", stockId: undefined });
  const kept = useKeptForm({
    name: KEPT_NAME,
    values: form.values,
    base: undefined,
    isDirty: form.isDirty,
    title,
    reopen,
  });

  const fail = (error: unknown): void => {
    const found = refusalOf(error);
    // The key stands for another stock that an earlier try has added: the next one needs its own.
    if (error instanceof ApiError && error.status === 422) {
      key.current = crypto.randomUUID();
      void client.invalidateQueries({ queryKey: STOCK_LIST_KEY });
    }
    setRefusal(found);
    form.refuse(found.problems);
    kept.fail();
  };

  const submit = async (isLast: boolean): Promise<void> => {
    if (isSaving) return;
    setRefusal(undefined);
    const { values: typed, problem } = expandLine(form.values, locale);
    const { values, problems } = readForm(typed, locale);
    form.set(typed);
    if (problem) return form.refuse({ ...problems, symbol: problem });
    if (Object.keys(problems).length > 0) return form.refuse(problems);
    setSaving(true);
    kept.settle();
    try {
      const stock = await actions.add(draftOf(values), key.current);
      showToast({
        text: `${stock.symbol} added`,
        action: { label: "View", run: () => go({ dialog: "detail", stockId: stock.id }) },
        otherAction: { label: "Undo", run: () => actions.remove([stock]) },
      });
      if (!kept.isShown()) return;
      if (isLast) return closeDialog();
      key.current = crypto.randomUUID();
      announce(`${stock.symbol} added. The form is empty again.`);
      form.set({ ...EMPTY_FORM, currency: values.currency });
      form.ref.current?.querySelector("input")?.focus();
      kept.unsettle();
    } catch (error) {
      fail(error);
    } finally {
      setSaving(false);
    }
  };

  const leave = (): void => {
    kept.settle();
    closeDialog();
  };
  return (
    <>
      {/* Before the form: it goes first, and gives the focus back to the form, which gives it on. */}
      {isLeaving && <DiscardDialog onKeep={() => setLeaving(false)} onDiscard={leave} />}
      <Dialog
        title="Add a stock"
        isTall
        onClose={() => (form.isDirty ? setLeaving(true) : closeDialog())}
        onSubmit={() => void submit(true)}
        footer={
          <>
            <Button class="start" aria-disabled={isSaving} onClick={() => void submit(false)}>
              Add another
            </Button>
            <Button tone="primary" type="submit" aria-disabled={isSaving}>
              {isSaving ? "Saving…" : "Add stock"}
            </Button>
          </>
        }
      >
        <RefusalNote refusal={refusal} values={form.values} />
        <StockFields form={form} isNew />
      </Dialog>
    </>
  );
};

type Start = { readonly values: FormValues; readonly problems: FormProblems };

const startOf = (draft: string | undefined, locale: string): Start => {
  const kept = takeKeptForm(KEPT_NAME);
  if (kept) return { values: kept.values, problems: {} };
  const { values, problem } = expandLine({ ...EMPTY_FORM, symbol: draft ?? "" }, locale);
  return { values, problems: problem ? { symbol: problem } : {} };
};
