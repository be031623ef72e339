/** Adds a stock. The form keeps one idempotency key while it is open, so that a retry never adds the stock twice. */
import { useQueryClient } from "@tanstack/preact-query";
import { useRef, useState } from "preact/hooks";
import { ApiError } from "../../api/api-error.ts";
import { LOCALE } from "../../format/format-number.ts";
import { useStocksPlace } from "../../navigation/stocks-place.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { showToast } from "../../parts/toasts.tsx";
import { followPrices } from "../store/follow-prices.ts";
import { STOCK_LIST_KEY, useStockStore } from "../store/stock-store.ts";
import { useStockActions } from "../store/use-stock-actions.ts";
import { DiscardDialog } from "./discard-dialog.tsx";
import { sourceSeen } from "./find/use-symbol-search.ts";
import { type FormRefusal, refusalOf } from "./form-refusal.ts";
import { draftOf, EMPTY_FORM, type FormValues } from "./form-values.ts";
import { takeKeptForm, useKeptForm } from "./kept-forms.ts";
import { expandLine } from "./quick-add.ts";
import { type FormProblems, readForm } from "./read-form.ts";
import { RefusalNote } from "./refusal-note.tsx";
import { StockFields } from "./stock-fields.tsx";
import { typedSince } from "./typed-since.ts";
import { type StockForm, useStockForm } from "./use-stock-form.ts";

const KEPT_NAME = "add";

/** The name under which a form is kept. Each draft in the address has a name of its own, so that one form does not replace another. */
export const nameOfDraft = (draft: string | undefined): string =>
  draft === undefined ? KEPT_NAME : `${KEPT_NAME} ${draft}`;

type AddOptions = {
  readonly form: StockForm;
  readonly kept: ReturnType<typeof useKeptForm>;
  readonly onClose: () => void;
  /** The form continues, empty except for these values. */
  readonly onEmpty: (clean: FormValues) => void;
};

/**
 * `submit` adds the stock, then closes the dialog if it is the last one and empties the form if not. What was typed meanwhile belongs to
 * the next stock: it stays, and so does the dialog.
 */
const useAddStock = ({ form, kept, onClose, onEmpty }: AddOptions) => {
  const { go } = useStocksPlace();
  const actions = useStockActions();
  const client = useQueryClient();
  const store = useStockStore();
  const key = useRef(crypto.randomUUID());
  const [isSaving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<FormRefusal>();

  const fail = (error: unknown): void => {
    const found = refusalOf(error);
    // An earlier try added another stock under this key, so the next one needs a new key.
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
    const { values: typed, problem } = expandLine(form.values, LOCALE);
    const { values, problems } = readForm(typed, LOCALE);
    form.set(typed);
    if (problem) return form.refuse({ ...problems, symbol: problem });
    if (Object.keys(problems).length > 0) return form.refuse(problems);
    setSaving(true);
    kept.begin();
    try {
      const stock = await actions.add(draftOf(values), key.current);
      if (sourceSeen.get()) void followPrices(store, { q: stock.symbol });
      showToast({
        text: `${stock.symbol} added`,
        action: { label: "View", run: () => go({ dialog: "detail", stockId: stock.id }) },
        otherAction: { label: "Undo", run: () => actions.remove([stock]) },
      });
      const since = typedSince(typed, form.latest(), LOCALE);
      if (!since && (isLast || !kept.isShown())) {
        kept.settle();
        return kept.isShown() ? onClose() : undefined;
      }
      const empty = { ...EMPTY_FORM, currency: values.currency };
      const next = { ...empty, ...since };
      kept.goOn({ values: next, base: undefined });
      if (!kept.isShown()) return;
      key.current = crypto.randomUUID();
      // After the toast's words.
      announce(since ? "What you typed since is still here." : "The form is empty again.");
      onEmpty(empty);
      form.set(next);
      // The focus is not taken from a field in which the person has continued.
      if (!form.ref.current?.contains(document.activeElement)) form.ref.current?.querySelector("input")?.focus();
    } catch (error) {
      fail(error);
    } finally {
      setSaving(false);
    }
  };
  return { isSaving, refusal, submit };
};

/** Starts with the draft of its address, or else with what an unsaved form held. */
export const AddDialog = () => {
  const { place, go, closeDialog } = useStocksPlace();
  // Kept, because a form that is being closed stays for a moment after its address has changed.
  const [draft] = useState(place.draft);
  const [start] = useState(() => startOf(draft, LOCALE));
  const [clean, setClean] = useState(start.clean);
  const form = useStockForm(clean, start.values, start.problems);
  const [isLeaving, setLeaving] = useState(false);
  const kept = useKeptForm({
    name: nameOfDraft(draft),
    values: form.values,
    base: undefined,
    isDirty: form.isDirty,
    title: form.values.symbol.trim().slice(0, 32) || "the new stock",
    reopen: () => go({ dialog: "add", stockId: undefined, draft }),
  });
  const { isSaving, refusal, submit } = useAddStock({ form, kept, onClose: closeDialog, onEmpty: setClean });
  const leave = (): void => {
    kept.settle();
    closeDialog();
  };
  return (
    <>
      {/* Before the form: it unmounts first and returns the focus to the form, which then passes it on. */}
      {isLeaving && <DiscardDialog onKeep={() => setLeaving(false)} onDiscard={leave} />}
      <Dialog
        title="Add a stock"
        isTall
        onClose={() => (form.isDirty ? setLeaving(true) : closeDialog())}
        onSubmit={() => void submit(true)}
        footer={
          <>
            <Button class="start" aria-disabled={isSaving} onClick={() => void submit(false)}>
              Add and continue
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

/** `clean`: the values that the person did not type. A form with only these closes without asking. */
type Start = { readonly clean: FormValues; readonly values: FormValues; readonly problems: FormProblems };

const startOf = (draft: string | undefined, locale: string): Start => {
  const own = nameOfDraft(draft);
  // A plain form continues what was typed into a draft only if no plain form was kept.
  const kept =
    takeKeptForm((name) => name === own) ??
    (draft === undefined ? takeKeptForm((name) => name.startsWith(`${KEPT_NAME} `)) : undefined);
  if (kept) return { clean: EMPTY_FORM, values: kept.values, problems: {} };
  const { values, problem } = expandLine({ ...EMPTY_FORM, symbol: draft ?? "" }, locale);
  return { clean: values, values, problems: problem ? { symbol: problem } : {} };
};
