/** For messages that the server cannot be reached: they have to go when it can be reached again. */
import { useEffect, useRef } from "preact/hooks";

/** How often the server is tried, in ms. */
const ASK_EVERY_MS = 4_000;

/** While `isAway`, asks for a small file, which costs the Worker nothing, and calls `onBack` when it comes. */
export const useWhenReachable = (isAway: boolean, onBack: () => void): void => {
  const latest = useRef(onBack);
  latest.current = onBack;
  useEffect(() => {
    if (!isAway) return undefined;
    const ask = (): void => {
      if (document.hidden || !navigator.onLine) return;
      void fetch("/icon.svg", { method: "HEAD", cache: "no-store" }).then(
        ({ ok }) => ok && latest.current(),
        () => undefined,
      );
    };
    const timer = setInterval(ask, ASK_EVERY_MS);
    addEventListener("online", ask);
    return () => {
      clearInterval(timer);
      removeEventListener("online", ask);
    };
  }, [isAway]);
};
