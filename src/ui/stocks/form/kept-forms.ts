/** Keeps the input of a form that was closed unsaved, for example by the Back button, and offers it again; on the next page too. */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { isRecord, tryParseJson } from "../../../contract/parse-json.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { FORM_FIELDS } from "../../../contract/stocks/stock-field-keys.ts";
import { outlivePage } from "../../account/outlive-page.ts";
import { showToast } from "../../parts/toasts.tsx";
import { EMPTY_FORM, type FormValues } from "./form-values.ts";

/** `base` is the stock as it was when the form was opened: the patch is computed against it. */
type KeptForm = { readonly values: FormValues; readonly base: Stock | undefined };

const kept = new Map<string, KeptForm>();

/** The forms on the screen that are to be kept. */
const shown = new Set<() => readonly KeepOptions[]>();

/** Whether it is a form as this version of the app has them: the page that left it may have been of another one. */
const isForm = (form: unknown): form is KeptForm => {
  if (!isRecord(form)) return false;
  const { values, base } = form;
  // Undefined, the one value that JSON leaves out, is in an untouched form as well.
  const isFilled = isRecord(values) && FORM_FIELDS.every((field) => isLike(EMPTY_FORM[field], values[field]));
  return isFilled && (base === undefined || (isRecord(base) && FORM_FIELDS.every((field) => field in base)));
};

const isLike = (empty: unknown, value: unknown): boolean => empty === undefined || typeof value === typeof empty;

const textOf = ({ values, base }: KeptForm): string => JSON.stringify({ values, base });

const left = outlivePage("form", () => [
  ...[...kept].map(([name, form]) => [name, textOf(form)] as const),
  ...[...shown].flatMap((read) => read()).map((form) => [form.pageName ?? form.name, textOf(form)] as const),
]);
for (const [name, text] of left) {
  const form = tryParseJson(text);
  if (isForm(form)) kept.set(name, form);
}

/** Takes what was kept under a name. The second call returns undefined. */
export const takeKeptForm = (name: string): KeptForm | undefined => {
  const form = kept.get(name);
  kept.delete(name);
  return form;
};

type KeepOptions = KeptForm & {
  readonly name: string;
  /** The name that the next page takes it by, if that is another one. */
  readonly pageName?: string;
  readonly isDirty: boolean;
  /** The name in the toast, such as `AAPL`. */
  readonly title: string;
  readonly reopen: () => void;
};

/** Keeps the form when it unmounts while it is dirty. */
export const useKeptForm = (options: KeepOptions) => {
  const latest = useRef(options);
  latest.current = options;
  const life = useRef({ isShown: true, isSettled: false });
  useLayoutEffect(() => {
    const { current } = life;
    current.isShown = true;
    const read = () => (!current.isSettled && latest.current.isDirty ? [latest.current] : []);
    shown.add(read);
    return () => {
      current.isShown = false;
      shown.delete(read);
      read().forEach(keep);
    };
  }, []);
  useEffect(() => {
    if (!options.isDirty) return undefined;
    const warn = (event: Event): void => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [options.isDirty]);
  return {
    /** Whether the form is still on the screen. */
    isShown: (): boolean => life.current.isShown,
    /** Called when the form is being saved or was discarded: there is nothing to keep. */
    settle: (): void => {
      life.current.isSettled = true;
    },
    /** Called when the form was saved and goes on with `form`. Keeps that if the form has been closed in the meantime. */
    goOn: (form: KeptForm): void => {
      life.current.isSettled = false;
      if (!life.current.isShown) keep({ ...latest.current, ...form });
    },
    /** Called when saving failed. Keeps the form if it has been closed in the meantime. */
    fail: (): void => {
      life.current.isSettled = false;
      if (!life.current.isShown) keep(latest.current);
    },
  };
};

const keep = ({ name, values, base, title, reopen }: KeepOptions): void => {
  kept.set(name, { values, base });
  showToast({ text: `What you typed for ${title} is not saved yet.`, action: { label: "Continue", run: reopen } });
};
