/** How long a part of the page has stood where it is. */
import type { RefObject } from "preact";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { SETTLE_MS } from "./press-guard.ts";

/** `since` is something at whose change it counts as new. `stoodMs` looks once more before it answers. */
export const useStillness = (
  part: RefObject<HTMLElement>,
  since: unknown,
): { readonly isStill: boolean; readonly stoodMs: () => number } => {
  const [isStill, setStill] = useState(false);
  const place = useRef("");
  const movedAt = useRef(Number.POSITIVE_INFINITY);
  const timer = useRef<ReturnType<typeof setTimeout>>();

  const startAgain = useCallback((): void => {
    movedAt.current = performance.now();
    place.current = placeOf(part.current);
    setStill(false);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      // A sheet that slides in moves it without an event.
      if (placeOf(part.current) === place.current) setStill(true);
      else startAgain();
    }, SETTLE_MS);
  }, [part]);
  const look = useCallback((): void => {
    if (placeOf(part.current) !== place.current) startAgain();
  }, [part, startAgain]);

  useLayoutEffect(() => {
    startAgain();
    return () => clearTimeout(timer.current);
  }, [part, since, startAgain]);

  useEffect(() => {
    const element = part.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(look);
    for (const one of [element, element.closest(".log"), element.closest(".log-content")]) one && observer.observe(one);
    const leave = new AbortController();
    const options = { capture: true, passive: true, signal: leave.signal };
    document.addEventListener("scroll", look, options);
    addEventListener("resize", look, options);
    // For somebody who comes back to the tab it has just appeared.
    document.addEventListener("visibilitychange", startAgain, options);
    return () => {
      observer.disconnect();
      leave.abort();
    };
  }, [part, look, startAgain]);

  const stoodMs = useCallback((): number => {
    look();
    return performance.now() - movedAt.current;
  }, [look]);
  return { isStill, stoodMs };
};

const placeOf = (element: HTMLElement | null): string => {
  if (element === null) return "";
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x, y, width, height].map(Math.round).join(" ");
};
