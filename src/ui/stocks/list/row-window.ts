/** Which rows of a long list are on the page: those in view, some around them, and the one that has the focus. */

/** A list that is shorter is on the page as a whole, so that the browser's own search finds everything in it. */
const ALWAYS_WHOLE = 60;

/** Rows that are on the page beyond those in view, above and below: what one scrolls by before more can be there. */
const MARGIN = 8;

/** From `start` up to, but without, `end`. */
export type RowRange = { readonly start: number; readonly end: number };

/** `top` is where the list begins below the upper edge of the window; negative when it is scrolled out. In px. */
type View = { readonly top: number; readonly height: number; readonly rowHeight: number };

/** The rows that are in view, if the list were endless both ways. */
export const rowsInView = ({ top, height, rowHeight }: View): RowRange => ({
  start: Math.floor(-top / rowHeight),
  end: Math.ceil((height - top) / rowHeight),
});

/** How far beyond the view a list of `count` rows is on the page. */
export const wantedReach = (count: number): number => (count <= ALWAYS_WHOLE ? ALWAYS_WHOLE : MARGIN);

/** The rows of a list of `count` that are in view, or at most `reach` beyond. */
export const rowsAround = ({ start, end }: RowRange, reach: number, count: number): RowRange => ({
  start: clamp(start - reach, 0, count),
  end: clamp(end + reach, 0, count),
});

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

/**
 * The next rows on the way from those that are shown to `target`: those in `view` and some around them. In a frame there
 * is time for one that comes, and one that goes: those in view come first. Were there more at an end, Preact would move the
 * elements of all that stay. Where none in view is shown they begin with one.
 */
export const stepTowards = (from: RowRange, view: RowRange, target: RowRange): RowRange => {
  if (view.start > from.end || view.end < from.start) return { start: view.start, end: view.start + 1 };
  const start = oneStep(from.start, target.start);
  const end = oneStep(from.end, target.end);
  if (start >= from.start || end <= from.end) return { start, end };
  return from.end >= view.end && from.start > view.start ? { start, end: from.end } : { start: from.start, end };
};

const oneStep = (from: number, to: number): number => clamp(to, from - 1, from + 1);

/** A stretch of the list: a row, or so many that are left out. */
export type Stretch = { readonly kind: "row" | "gap" } & RowRange;

/** Cuts the whole list into stretches. Row `kept`, if not -1, is on the page wherever it is: taking it away takes the focus. */
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
