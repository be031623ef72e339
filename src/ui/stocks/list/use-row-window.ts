/** Which rows are near the part of the page that is in view. The page scrolls, not the list. */
import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { type RowRange, rowsInView } from "./row-window.ts";

/** Rows for the first paint, before anything can be measured. */
const FIRST_ROWS = 16;

/** `body` holds the rows and nothing above them. */
export const useRowWindow = (body: RefObject<HTMLElement>, rowHeight: number, count: number): RowRange => {
  const [range, setRange] = useState<RowRange>({ start: 0, end: FIRST_ROWS });
  useLayoutEffect(() => {
    const measure = (): void => {
      const top = body.current?.getBoundingClientRect().top ?? 0;
      const next = rowsInView({ top, height: window.innerHeight, rowHeight, count });
      setRange((old) => (old.start === next.start && old.end === next.end ? old : next));
    };
    measure();
    addEventListener("scroll", measure, { passive: true });
    // What stands above the list can grow, and so can the window.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => {
      removeEventListener("scroll", measure);
      observer.disconnect();
    };
  }, [body, rowHeight, count]);
  return range;
};
