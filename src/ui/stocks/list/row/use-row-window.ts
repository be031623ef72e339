/** Decides which rows of a long list are on the page. The page scrolls, not the list. */
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { afterNextFrame } from "../../../parts/after-next-frame.ts";

/** A list of up to this many rows is rendered whole, so that the browser's own search finds everything in it. */
const ALWAYS_WHOLE = 60;

/** Rows rendered above and below those in view: enough to scroll through before more can be rendered. */
const MARGIN = 8;

/** From `start` up to, but not including, `end`. */
type RowRange = { readonly start: number; readonly end: number };

/** `top` is the list's distance from the top of the window, negative when it is scrolled out. In px. */
type View = { readonly top: number; readonly height: number; readonly rowHeight: number };

/** The rows in view, as if the list were endless both ways. */
export const rowsInView = ({ top, height, rowHeight }: View): RowRange => ({
  start: Math.floor(-top / rowHeight),
  end: Math.ceil((height - top) / rowHeight),
});

/** How many rows beyond the view are rendered in a list of `count` rows. */
export const wantedReach = (count: number): number => (count <= ALWAYS_WHOLE ? ALWAYS_WHOLE : MARGIN);

/** The rows of a list of `count` that are in view or at most `reach` rows beyond. */
export const rowsAround = ({ start, end }: RowRange, reach: number, count: number): RowRange => ({
  start: clamp(start - reach, 0, count),
  end: clamp(end + reach, 0, count),
});

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

/**
 * The next rows on the way from those rendered to `target`. A frame has time for one row to be added and one removed, and
 * rows in view come first. With more than one at an end, Preact would move the elements of all rows that stay. When no row
 * in view is rendered, it starts over with one.
 */
export const stepTowards = (from: RowRange, view: RowRange, target: RowRange): RowRange => {
  if (view.start > from.end || view.end < from.start) return { start: view.start, end: view.start + 1 };
  const start = oneStep(from.start, target.start);
  const end = oneStep(from.end, target.end);
  if (start >= from.start || end <= from.end) return { start, end };
  return from.end >= view.end && from.start > view.start ? { start, end: from.end } : { start: from.start, end };
};

const oneStep = (from: number, to: number): number => clamp(to, from - 1, from + 1);

/** A row, or a gap in place of rows that are not rendered. */
type Stretch = { readonly kind: "row" | "gap" } & RowRange;

/** Cuts the whole list into rows and gaps. Row `kept`, if not -1, is always rendered: removing it would lose the focus. */
export const cutStretches = ({ start, end }: RowRange, count: number, kept: number): readonly Stretch[] => {
  const rows: number[] = [];
  for (let row = start; row < Math.min(end, count); row += 1) rows.push(row);
  if (kept >= end) rows.push(kept);
  else if (kept >= 0 && kept < start) rows.unshift(kept);
  const stretches: Stretch[] = [];
  let at = 0;
  for (const row of rows) {
    if (row > at) stretches.push({ kind: "gap", start: at, end: row });
    at = row + 1;
    stretches.push({ kind: "row", start: row, end: at });
  }
  if (count > at) stretches.push({ kind: "gap", start: at, end: count });
  return stretches;
};

/** Rendered in the first paint, before anything can be measured. */
const FIRST_ROWS: RowRange = { start: 0, end: 8 };

/** Rows beyond the view are added once the list has been unchanged for this long: longer than between two keystrokes. */
const CALM_MS = 150;

/** State that the listeners share with the last render. */
type Walk = {
  /** From `rowsInView`. */
  view: RowRange;
  shown: RowRange;
  rowHeight: number;
  count: number;
  subject: unknown;
  /** The last subject that stayed for `CALM_MS`. */
  calm?: unknown;
  start?: () => void;
};

/**
 * `body` holds the rows and nothing above them. A new `subject` means that all rows change: those in view are rendered
 * first, and the others one by one once it has settled.
 */
export const useRowWindow = (
  body: RefObject<HTMLElement>,
  rowHeight: number,
  count: number,
  subject: unknown,
): RowRange => {
  const [isPrinting, setPrinting] = useState(false);
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
  // Rows added below a page that is not full change nothing that the listeners would notice.
  useEffect(() => walk.start?.(), [count]);

  // Forces the layout in this task, so that the frame's own task has only half of the work.
  useLayoutEffect(() => {
    body.current?.getBoundingClientRect();
  }, [body, stepped]);

  // Paper has no view. The browser waits for what its event renders, and for nothing later.
  useEffect(() => {
    window.onbeforeprint = () => setPrinting(true);
    window.onafterprint = () => setPrinting(false);
  }, []);

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
    // One step per frame.
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
    // Reports the first layout, and changes of the list's length and of what is above it. It runs after a frame's layout
    // and before its paint, so that measuring never costs a layout of its own.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => {
      cancel?.();
      removeEventListener("scroll", measure);
      observer.disconnect();
    };
  }, [body]);
  return isPrinting ? { start: 0, end: count } : shown;
};
