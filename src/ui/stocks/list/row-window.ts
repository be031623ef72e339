/** Which rows of a long list are on the page: those in view, some around them, and the one that has the focus. */

/** A list that is shorter is on the page as a whole, so that the browser's own search finds everything in it. */
const ALWAYS_WHOLE = 60;

/** Rows that are on the page beyond those in view, above and below: a flick of the finger must not overtake them. */
const MARGIN = 12;

/** Rows are added and taken away by this many at once: few, since each step has to fit into a frame. */
export const STEP = 4;

/** From `start` up to, but without, `end`. */
export type RowRange = { readonly start: number; readonly end: number };

/** `top` is where the list begins below the upper edge of the window; negative when it is scrolled out. In px. */
type View = { readonly top: number; readonly height: number; readonly rowHeight: number };

/** The rows that are in view, in whole steps, if the list were endless both ways. */
export const rowsInView = ({ top, height, rowHeight }: View): RowRange => ({
  start: Math.floor(-top / rowHeight / STEP) * STEP,
  end: Math.ceil((height - top) / rowHeight / STEP) * STEP,
});

/** How far beyond the view a list of `count` rows is on the page. */
export const wantedReach = (count: number): number => (count <= ALWAYS_WHOLE ? ALWAYS_WHOLE : MARGIN);

/** The rows of a list of `count` that are in view, or at most `reach` beyond. */
export const rowsAround = ({ start, end }: RowRange, reach: number, count: number): RowRange => ({
  start: clamp(start - reach, count),
  end: clamp(end + reach, count),
});

const clamp = (index: number, count: number): number => Math.min(Math.max(index, 0), count);

/** A stretch of the list: its rows, or so many that are left out. */
export type Stretch = ({ readonly kind: "rows" } | { readonly kind: "gap" }) & RowRange;

/** Cuts the whole list into stretches. Row `kept` is on the page wherever it is, since taking it away takes the focus. */
export const cutStretches = ({ start, end }: RowRange, count: number, kept: number): readonly Stretch[] => {
  const ranges = [{ start: Math.min(start, count), end: Math.min(end, count) }];
  if (kept >= 0 && kept < start) ranges.unshift({ start: kept, end: kept + 1 });
  if (kept >= end && kept < count) ranges.push({ start: kept, end: kept + 1 });
  const stretches: Stretch[] = [];
  let at = 0;
  for (const range of ranges) {
    if (range.start > at) stretches.push({ kind: "gap", start: at, end: range.start });
    stretches.push({ kind: "rows", ...range });
    at = range.end;
  }
  return at < count ? [...stretches, { kind: "gap", start: at, end: count }] : stretches;
};
