/** Which rows are near the part of the page that is in view. The page scrolls, not the list. */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { afterNextFrame } from "../../parts/after-next-frame.ts";
import { type RowRange, rowsAround, rowsInView, stepTowards, wantedReach } from "./row-window.ts";

/** For the first paint, before anything can be measured. */
const FIRST_ROWS: RowRange = { start: 0, end: 8 };

/** A list that has stayed the same for this long gets the rows beyond the view too: longer than between two keys. */
const CALM_MS = 150;

/** What the listeners need of the last render, and of each other. */
type Walk = {
  /** As `rowsInView` gave it. */
  view: RowRange;
  shown: RowRange;
  rowHeight: number;
  count: number;
  subject: unknown;
  /** The last subject that has stayed for `CALM_MS`. */
  calm?: unknown;
  start?: () => void;
};

/**
 * `body` holds the rows and nothing above them. When `subject` becomes another one, all rows do: then those in view come
 * first, and the others row by row once nothing happens any more.
 */
export const useRowWindow = (
  body: RefObject<HTMLElement>,
  rowHeight: number,
  count: number,
  subject: unknown,
): RowRange => {
  const [stepped, step] = useState({ subject, rows: FIRST_ROWS });
  const { current: walk } = useRef<Walk>({ view: FIRST_ROWS, shown: FIRST_ROWS, rowHeight, count, subject });
  const shown = stepped.subject === subject ? stepped.rows : rowsAround(walk.view, 0, count);
  Object.assign(walk, { shown, rowHeight, count, subject });

  useEffect(() => {
    const timer = setTimeout(() => {
      walk.calm = subject;
      walk.start?.();
    }, CALM_MS);
    return () => clearTimeout(timer);
  }, [subject]);
  // The height of a page that is not full tells nothing of rows that come.
  useEffect(() => walk.start?.(), [count]);

  // Asked for here, the layout is in the step's task: half of the work there, half in the frame's.
  useLayoutEffect(() => {
    body.current?.getBoundingClientRect();
  }, [body, stepped]);

  useLayoutEffect(() => {
    let cancel: (() => void) | undefined;
    const follow = (): void => {
      cancel = undefined;
      const inView = rowsAround(walk.view, 0, walk.count);
      const reach = walk.calm === walk.subject ? wantedReach(walk.count) : 0;
      const rows = stepTowards(walk.shown, inView, rowsAround(walk.view, reach, walk.count));
      if (rows.start === walk.shown.start && rows.end === walk.shown.end) return;
      walk.shown = rows;
      step({ subject: walk.subject, rows });
      walkOn();
    };
    // One step a frame: one that waits is the only one.
    const walkOn = (): void => {
      cancel ??= afterNextFrame(follow);
    };
    walk.start = walkOn;
    const measure = (): void => {
      const top = body.current?.getBoundingClientRect().top ?? 0;
      walk.view = rowsInView({ top, height: innerHeight, rowHeight: walk.rowHeight });
      walkOn();
    };
    addEventListener("scroll", measure, { passive: true });
    // Tells of the first layout, of a longer or shorter list and of what grows above it: after the layout of a frame and
    // before its paint, so that measuring never costs a layout of its own.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => {
      cancel?.();
      removeEventListener("scroll", measure);
      observer.disconnect();
    };
  }, [body]);
  return shown;
};
