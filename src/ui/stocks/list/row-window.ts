/** Which rows of a long list are on the page: those in view, some around them, and the one that has the focus. */

/** A list that is shorter is on the page as a whole, so that the browser's own search finds everything in it. */
const ALWAYS_WHOLE = 60;

/** Rows that are on the page beyond those in view, above and below: what one scrolls by before more can be there. */
export const MARGIN = 8;

/** Rows are added and taken away by blocks of this many: few, since each has to fit into a frame. */
export const STEP = 2;

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
  start: clamp(start - reach, 0, count),
  end: clamp(end + reach, 0, count),
});

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

/** Whether nothing of what is shown can stay on the way to `target`. */
export const isElsewhere = (from: RowRange, target: RowRange): boolean =>
  target.start > from.end || target.end < from.start;

/**
 * The rows in view on the way from those that are shown to `target`. One block goes and one comes: when more do, Preact
 * moves the elements of all rows that stay. Elsewhere they begin with one block, since all at once do not fit into a frame.
 */
export const stepTowards = (from: RowRange, target: RowRange): RowRange =>
  isElsewhere(from, target)
    ? { start: target.start, end: target.start + STEP }
    : { start: oneBlock(from.start, target.start), end: oneBlock(from.end, target.end) };

const oneBlock = (from: number, to: number): number => clamp(to, from - STEP, from + STEP);

/** A stretch of the list: a block of its rows, or so many that are left out. */
export type Stretch = ({ readonly kind: "block" } | { readonly kind: "gap" }) & RowRange;

/** Cuts the whole list into stretches. Row `kept`, if not -1, is on the page wherever it is: taking it away takes the focus. */
export const cutStretches = ({ start, end }: RowRange, count: number, kept: number): readonly Stretch[] => {
  const firsts = new Set<number>();
  for (let first = start; first < Math.min(end, count); first += STEP) firsts.add(first);
  if (kept >= 0) firsts.add(Math.floor(kept / STEP) * STEP);
  const stretches: Stretch[] = [];
  let at = 0;
  for (const first of [...firsts].sort((a, b) => a - b)) {
    if (first > at) stretches.push({ kind: "gap", start: at, end: first });
    at = Math.min(first + STEP, count);
    stretches.push({ kind: "block", start: first, end: at });
  }
  if (count > at) stretches.push({ kind: "gap", start: at, end: count });
  return stretches;
};
