/** What was typed into a form that went away unsaved, as the Back button does it: offered again, not lost. */
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { Stock } from "../../../contract/stock.ts";
import { showToast } from "../../parts/toasts.tsx";
import type { FormValues } from "./form-values.ts";

/** `base` is the stock as it was when the form was opened: what is sent is told from that. */
type KeptForm = { readonly values: FormValues; readonly base: Stock | undefined };

const kept = new Map<string, KeptForm>();

/** What was kept under a name, once. */
export const takeKeptForm = (name: string): KeptForm | undefined => {
  const form = kept.get(name);
  kept.delete(name);
  return form;
};

type KeepOptions = KeptForm & {
  readonly name: string;
  readonly isDirty: boolean;
  /** What the note calls it, such as `AAPL`. */
  readonly title: string;
  readonly reopen: () => void;
};

/** Keeps the form when it goes away while it is dirty. */
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
    /** Whether the form still stands there. */
    isShown: (): boolean => life.current.isShown,
    /** It is being saved, or was thrown away on purpose: nothing to keep. */
    settle: (): void => {
      life.current.isSettled = true;
    },
    /** It may hold something again. */
    unsettle: (): void => {
      life.current.isSettled = false;
    },
    /** Saving failed. A form that is gone by now is kept. */
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
