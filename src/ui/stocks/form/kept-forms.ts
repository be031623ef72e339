/** Keeps the input of a form that was closed unsaved, for example by the Back button, and offers it again. */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { showToast } from "../../parts/toasts.tsx";
import type { FormValues } from "./form-values.ts";

/** `base` is the stock as it was when the form was opened: the patch is computed against it. */
type KeptForm = { readonly values: FormValues; readonly base: Stock | undefined };

const kept = new Map<string, KeptForm>();

/** Takes what was kept under a name. The second call returns undefined. */
export const takeKeptForm = (name: string): KeptForm | undefined => {
  const form = kept.get(name);
  kept.delete(name);
  return form;
};

type KeepOptions = KeptForm & {
  readonly name: string;
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
    return () => {
      current.isShown = false;
      if (!current.isSettled && latest.current.isDirty) keep(latest.current);
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
