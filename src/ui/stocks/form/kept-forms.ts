/** Keeps the input of a form that was closed unsaved, for example by the Back button, and offers it again; on the next page too. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isRecord, tryParseJson } from "../../../contract/parse-json.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { FORM_FIELDS } from "../../../contract/stocks/stock-field-keys.ts";
import { outlivePage } from "../../account/outlive-page.ts";
import { showToast } from "../../parts/toasts.tsx";
import { createStore } from "../../state/store.ts";
import { EMPTY_FORM, type FormValues } from "./form-values.ts";

/** `base` is the stock as it was when the form was opened: the patch is computed against it. */
export type KeptForm = { readonly values: FormValues; readonly base: Stock | undefined };

type Kept = { readonly name: string; readonly form: KeptForm };

/** In the order in which they were closed. If a save fails later, there may be two forms of one name. */
const kept = new Set<Kept>();

/** The form whose "Continue" was pressed last. It is restored before other forms of the same name. */
let asked: Kept | undefined;

/**
 * How often "Continue" was pressed for the forms of each name. The count is part of the dialog's key: a dialog of that name may be open
 * already, and only a new one takes the kept form.
 */
export const continued = createStore<Readonly<Record<string, number>>>({});

/** The forms on the screen, and those that were closed while they are being saved. */
const open = new Set<() => readonly KeepOptions[]>();

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
  ...[...kept].map(({ name, form }) => [name, textOf(form)] as const),
  ...[...open].flatMap((read) => read()).map((form) => [form.name, textOf(form)] as const),
]);
for (const [name, text] of left) {
  const form = tryParseJson(text);
  if (isForm(form)) kept.add({ name, form });
}

/** Takes one of the forms whose name passes: the one that is to be continued, otherwise the one kept last. Undefined when none is left. */
export const takeKeptForm = (isIts: (name: string) => boolean): KeptForm | undefined => {
  const found = [...kept].filter(({ name }) => isIts(name));
  const taken = found.find((one) => one === asked) ?? found.at(-1);
  if (taken) kept.delete(taken);
  return taken?.form;
};

type KeepOptions = KeptForm & {
  /** The name of its address: the same for all forms that open there. */
  readonly name: string;
  readonly isDirty: boolean;
  /** The name in the toast, such as `AAPL`. */
  readonly title: string;
  readonly reopen: () => void;
};

/** `over`: it was saved or discarded. */
type Life = { isShown: boolean; state: "typed" | "saving" | "over" };

/** Keeps the form when it unmounts while it is dirty, and for the next page until it is over: nobody knows what becomes of a save. */
export const useKeptForm = (options: KeepOptions) => {
  const latest = useRef(options);
  latest.current = options;
  const life = useRef<Life>({ isShown: true, state: "typed" });
  const [read] = useState(
    () => (): readonly KeepOptions[] =>
      life.current.state === "saving" || (life.current.state === "typed" && latest.current.isDirty)
        ? [latest.current]
        : [],
  );
  useLayoutEffect(() => {
    life.current.isShown = true;
    open.add(read);
    return () => {
      life.current.isShown = false;
      if (life.current.state === "saving") return;
      open.delete(read);
      read().forEach(keep);
    };
  }, []);
  /** `form` is what is kept if the dialog has been closed. */
  const resume = (form?: KeptForm): void => {
    life.current.state = "typed";
    if (life.current.isShown) return;
    open.delete(read);
    keep({ ...latest.current, ...form });
  };
  useEffect(() => {
    if (!options.isDirty) return undefined;
    const warn = (event: Event): void => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [options.isDirty]);
  return {
    /** Whether the form is still on the screen. */
    isShown: (): boolean => life.current.isShown,
    /** Called when a save begins: if the form is closed meanwhile, it is kept on this page only if saving fails. */
    begin: (): void => {
      life.current.state = "saving";
    },
    /** Called when the form was saved or discarded: there is nothing to keep. */
    settle: (): void => {
      life.current.state = "over";
      if (!life.current.isShown) open.delete(read);
    },
    /** Called when the form was saved and continues with `form`, which is kept if the dialog has been closed in the meantime. */
    goOn: resume,
    /** Called when saving failed. Keeps the form if it has been closed in the meantime. */
    fail: (): void => resume(),
  };
};

const keep = ({ name, values, base, title, reopen }: KeepOptions): void => {
  const one: Kept = { name, form: { values, base } };
  kept.add(one);
  const run = (): void => {
    // The form was taken meanwhile: it is on the screen, or it was saved or discarded.
    if (!kept.has(one)) return;
    reopen();
    asked = one;
    const counts = continued.get();
    continued.set({ ...counts, [name]: (counts[name] ?? 0) + 1 });
  };
  showToast({ text: `What you typed for ${title} is not saved yet.`, action: { label: "Continue", run } });
};
