/** The state of a stock form: its values, its problems and the focus; and saving an edit, with its conflicts and refusals. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Stock } from "../../../contract/stocks/stock.ts";
import type { StockPatch } from "../../../contract/stocks/stock-values.ts";
import { readAction } from "../../api/read-action.ts";
import { LOCALE } from "../../format/format-number.ts";
import { announce } from "../../parts/announcer.tsx";
import { focusProblem } from "../../parts/task/focus-problem.ts";
import { isConflict } from "../store/stock-failures.ts";
import { useStockStore } from "../store/stock-store.ts";
import { useStockActions } from "../store/use-stock-actions.ts";
import { type FormRefusal, refusalOf } from "./form-refusal.ts";
import { type FormValues, patchOf } from "./form-values.ts";
import type { useKeptForm } from "./kept-forms.ts";
import { type FormProblems, readForm, readingOf } from "./read-form.ts";
import { typedSince } from "./typed-since.ts";

export type StockForm = {
  readonly values: FormValues;
  /** The values now. A save in progress holds the `values` of the render it began in. */
  readonly latest: () => FormValues;
  readonly problems: FormProblems;
  /** Whether a value differs from the initial one. */
  readonly isDirty: boolean;
  /** Changes values and clears the problems of those fields. */
  readonly set: (change: Partial<FormValues>) => void;
  /** Shows the problems and focuses the first field that has one. */
  readonly refuse: (problems: FormProblems) => void;
  /** For the element around the fields. */
  readonly ref: RefObject<HTMLDivElement>;
};

/** `start` differs from `clean` when the form continues with earlier input or with a draft. */
export const useStockForm = (clean: FormValues, start: FormValues, startProblems: FormProblems = {}): StockForm => {
  const ref = useRef<HTMLDivElement>(null);
  const [values, setValues] = useState(start);
  const latest = useRef(values);
  latest.current = values;
  const [{ problems, refusals }, setRefused] = useState({ problems: startProblems, refusals: 0 });
  useLayoutEffect(() => {
    if (refusals === 0) return;
    const field = ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    focusProblem(field, field?.closest(".field")?.querySelector(".problem")?.textContent ?? "");
  }, [refusals]);
  return {
    values,
    latest: () => latest.current,
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

type Edit = { readonly set: StockPatch; readonly version: number | undefined; readonly isRestore: boolean };

type SaveOptions = {
  readonly kept: ReturnType<typeof useKeptForm>;
  readonly form: StockForm;
  readonly onSaved: () => void;
  /** Called instead of `onSaved`, even after the form was closed, if `since` was typed while `stock` was being saved. */
  readonly onGoOn: (stock: Stock, since: Partial<FormValues>) => void;
};

/** `conflict` is set when somebody else has saved the stock since it was opened. */
export const useSaveEdit = (base: Stock, { kept, form, onSaved, onGoOn }: SaveOptions) => {
  const actions = useStockActions();
  const store = useStockStore();
  const [isSaving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<FormRefusal>();
  const [conflict, setConflict] = useState<{ readonly theirs: Stock }>();
  const key = useRef({ content: "", value: "" });

  /** The same edit keeps its idempotency key, so that a retry does not apply it twice. */
  const keyOf = (content: string): string => {
    if (key.current.content !== content) key.current = { content, value: crypto.randomUUID() };
    return key.current.value;
  };

  const endSaved = (symbol: string): void => {
    announce(`${symbol} saved`);
    kept.settle();
    if (kept.isShown()) onSaved();
  };

  const fail = async (error: unknown, version: number | undefined): Promise<void> => {
    const theirs = isConflict(error) ? await readTheirs(base.id) : undefined;
    const { values, problems } = readForm(form.latest(), LOCALE);
    const isRead = Object.keys(problems).length === 0;
    // Somebody else, or an edit whose answer was lost, has already saved what the form holds. This does not apply after a comparison, where
    // something else may have been chosen.
    if (theirs && version !== undefined && !conflict && isRead && !patchOf(readingOf(theirs), values)) {
      store.apply({ stocks: [theirs], deleted: [] });
      return endSaved(theirs.symbol);
    }
    if (!theirs || theirs.version === version) {
      const found = refusalOf(error);
      setRefusal(found);
      form.refuse(found.problems);
    } else if (isRead) setConflict({ theirs });
    // A field that cannot be parsed would be compared as an empty one.
    else form.refuse(problems);
    kept.fail();
  };

  const send = async ({ set, version, isRestore }: Edit): Promise<void> => {
    if (isSaving) return;
    setSaving(true);
    setRefusal(undefined);
    kept.begin();
    const sent = form.values;
    try {
      const content = JSON.stringify([set, version, isRestore]);
      const stock = await actions.update({
        id: base.id,
        set,
        ...(version === undefined ? {} : { version }),
        ...(isRestore ? { restore: true } : {}),
        idempotencyKey: keyOf(content),
      });
      const since = typedSince(sent, form.latest(), LOCALE);
      if (!since) return endSaved(stock.symbol);
      announce(`${stock.symbol} saved. What you typed since is not saved yet.`);
      onGoOn(stock, since);
    } catch (error) {
      await fail(error, version);
    } finally {
      setSaving(false);
    }
  };
  return { isSaving, refusal, conflict, send, forgetConflict: () => setConflict(undefined) };
};

/** The stock as others saved it; undefined if it cannot be read. The form then shows the refusal itself. */
const readTheirs = async (id: string): Promise<Stock | undefined> => {
  try {
    return (await readAction("get-stock", { id })).stock;
  } catch {
    // The caller shows the original refusal instead.
    return undefined;
  }
};
