/** Fetches code that may be needed next. */
import { useEffect } from "preact/hooks";

/** Calls `load` once, this long after the first paint, in ms; in a hidden tab not before somebody looks at it. */
export const useFetchAhead = (load: () => void, afterMs: number): void =>
  useEffect(() => {
    const begin = (): void => {
      if (document.hidden) document.addEventListener("visibilitychange", begin, { once: true });
      else load();
    };
    const timer = setTimeout(begin, afterMs);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", begin);
    };
  }, []);
