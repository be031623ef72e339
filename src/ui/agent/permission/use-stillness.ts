/** Keeps a press from landing on buttons that have just appeared or moved. */
import type { RefObject } from "preact";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/**
 * How long a card must stay in place before it accepts a press, in ms. The second half of a double click comes up to
 * 500 ms after the first, as systems allow; the rest is time to see what is being pressed.
 */
export const SETTLE_MS = 700;

/** `detail` counts presses in a row (`event.detail`; 0 by key), `stillMs` is how long the card has been in place. */
type Press = { readonly detail: number; readonly stillMs: number };

/** Whether a press counts as an answer. */
export const isAnswer = ({ detail, stillMs }: Press): boolean => detail <= 1 && stillMs >= SETTLE_MS;

/** The part counts as new whenever `since` changes. `stillMs` measures again before it returns. */
export const useStillness = (
  part: RefObject<HTMLElement>,
  since: unknown,
): { readonly isStill: boolean; readonly stillMs: () => number } => {
  const [isStill, setStill] = useState(false);
  const place = useRef("");
  const movedAt = useRef(Number.POSITIVE_INFINITY);
  const timer = useRef<ReturnType<typeof setTimeout>>();

  const restart = useCallback((): void => {
    movedAt.current = performance.now();
    place.current = placeOf(part.current);
    setStill(false);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      // A sheet that slides in moves the part without an event.
      if (placeOf(part.current) === place.current) setStill(true);
      else restart();
    }, SETTLE_MS);
  }, [part]);
  const look = useCallback((): void => {
    if (placeOf(part.current) !== place.current) restart();
  }, [part, restart]);

  useLayoutEffect(() => {
    restart();
    return () => clearTimeout(timer.current);
  }, [part, since, restart]);

  useEffect(() => {
    const element = part.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(look);
    observer.observe(element);
    // The elements around the part move it when their size changes.
    for (const around of [".ask", ".log-content", ".log"].map((name) => element.closest(name)))
      around && observer.observe(around);
    const leave = new AbortController();
    const options = { capture: true, passive: true, signal: leave.signal };
    document.addEventListener("scroll", look, options);
    addEventListener("resize", look, options);
    // For somebody who comes back to the tab or the window, the part has just appeared. So has a part that a toast or a menu covered.
    for (const kind of ["visibilitychange", "beforetoggle"]) document.addEventListener(kind, restart, options);
    // Not captured: only the window's own focus, not that of each element.
    addEventListener("focus", restart, { signal: leave.signal });
    return () => {
      observer.disconnect();
      leave.abort();
    };
  }, [part, look, restart]);

  const stillMs = useCallback((): number => {
    look();
    return performance.now() - movedAt.current;
  }, [look]);
  return { isStill, stillMs };
};

const placeOf = (element: HTMLElement | null): string => {
  if (element === null) return "";
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x, y, width, height].map(Math.round).join(" ");
};
