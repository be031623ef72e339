/** Which rows are near the part of the page that is in view. The page scrolls, not the list. */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import {
  isElsewhere,
  MARGIN,
  type RowRange,
  rowsAround,
  rowsInView,
  STEP,
  stepTowards,
  wantedReach,
} from "./row-window.ts";

/** Rows for the first paint, before anything can be measured. */
const FIRST_ROWS = 8;

/** A list that has stayed the same for this long gets the rows beyond the view too: longer than between two keys. */
const CALM_MS = 150;

/**
 * `body` holds the rows and nothing above them. When `subject` becomes another one, all rows do: then those in view come
 * first, and the others step by step once nothing happens any more.
 */
export const useRowWindow = (
  body: RefObject<HTMLElement>,
  rowHeight: number,
  count: number,
  subject: unknown,
): RowRange => {
  const [view, setView] = useState<RowRange>({ start: 0, end: FIRST_ROWS });
  const [grown, grow] = useState({ subject, reach: 0 });
  const reach = grown.subject === subject ? grown.reach : 0;
  const isFull = reach >= wantedReach(count);
  useEffect(() => {
    if (isFull) return undefined;
    const timer = setTimeout(() => grow({ subject, reach: reach + STEP }), reach === 0 ? CALM_MS : 0);
    return () => clearTimeout(timer);
  }, [subject, reach, isFull]);

  const height = useRef(rowHeight);
  height.current = rowHeight;
  const shown = useRef(view);
  useLayoutEffect(() => {
    let target = shown.current;
    let frame = 0;
    const follow = (): void => {
      const { current } = shown;
      if (current.start === target.start && current.end === target.end) return;
      // A list that is there as a whole stays so.
      if (isElsewhere(current, target)) grow((all) => (all.reach > MARGIN ? all : { ...all, reach: 0 }));
      shown.current = stepTowards(current, target);
      setView(shown.current);
      inNextFrame();
    };
    const inNextFrame = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(follow);
    };
    const measure = (): void => {
      const top = body.current?.getBoundingClientRect().top ?? 0;
      target = rowsInView({ top, height: innerHeight, rowHeight: height.current });
    };
    // Of all steps of a frame, its scroll event's comes first: one that waits for the frame is the only one.
    const onScroll = (): void => {
      measure();
      inNextFrame();
    };
    addEventListener("scroll", onScroll, { passive: true });
    // Tells of the first layout, of a longer or shorter list and of what grows above it: after the layout of a frame and
    // before its paint, so that measuring never costs a layout of its own.
    const observer = new ResizeObserver(() => {
      measure();
      follow();
    });
    observer.observe(document.body);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", onScroll);
      observer.disconnect();
    };
  }, [body]);
  return rowsAround(view, reach, count);
};
