/** Sends an edit, and finds out what stands in its way. */
import { useRef, useState } from "preact/hooks";
import type { Stock } from "../../../contract/stock.ts";
import type { StockPatch } from "../../../contract/stock-draft.ts";
import { readAction } from "../../actions/call-action.ts";
import { announce } from "../../parts/announcer.tsx";
import { isConflict } from "../stock-failures.ts";
import { useStockActions } from "../use-stock-actions.ts";
import { type FormRefusal, refusalOf } from "./form-refusal.ts";
import type { useKeptForm } from "./kept-forms.ts";
import type { StockForm } from "./use-stock-form.ts";

type Edit = { readonly set: StockPatch; readonly version: number | undefined; readonly isRestore: boolean };

type SaveOptions = {
  readonly kept: ReturnType<typeof useKeptForm>;
  readonly form: StockForm;
  readonly onSaved: () => void;
};

/** `conflict` is there when somebody else has saved the stock since it was opened. */
export const useSaveEdit = (base: Stock, { kept, form, onSaved }: SaveOptions) => {
  const actions = useStockActions();
  const [isSaving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<FormRefusal>();
  const [conflict, setConflict] = useState<{ readonly theirs: Stock }>();
  const key = useRef({ content: "", value: "" });

  /** The same edit keeps its key: sent twice, it is done once. */
  const keyOf = (content: string): string => {
    if (key.current.content !== content) key.current = { content, value: crypto.randomUUID() };
    return key.current.value;
  };

  const fail = async (error: unknown, version: number | undefined): Promise<void> => {
    const theirs = isConflict(error) ? await readTheirs(base.id) : undefined;
    if (theirs && theirs.version !== version) setConflict({ theirs });
    else {
      const found = refusalOf(error);
      setRefusal(found);
      form.refuse(found.problems);
    }
    kept.fail();
  };

  const send = async ({ set, version, isRestore }: Edit): Promise<void> => {
    if (isSaving) return;
    setSaving(true);
    setRefusal(undefined);
    kept.settle();
    try {
      const content = JSON.stringify([set, version, isRestore]);
      const stock = await actions.update({
        id: base.id,
        set,
        ...(version === undefined ? {} : { version }),
        ...(isRestore ? { restore: true } : {}),
        idempotencyKey: keyOf(content),
      });
      announce(`${stock.symbol} saved`);
      if (kept.isShown()) onSaved();
    } catch (error) {
      await fail(error, version);
    } finally {
      setSaving(false);
    }
  };
  return { isSaving, refusal, conflict, send, forgetConflict: () => setConflict(undefined) };
};

/** Undefined when it cannot be read: the refusal itself is shown then. */
const readTheirs = async (id: string): Promise<Stock | undefined> => {
  try {
    return (await readAction("get-stock", { id })).stock;
  } catch {
    // The refusal that led here is told instead.
    return undefined;
  }
};
