/** Which of a long content has been in view: stretches of it, in pixels from its top. */

/** A stretch: both ends count. */
export type Stretch = { readonly from: number; readonly to: number };

/** Pixels that may be missing between two stretches: browsers lay lines out on fractions of one, and scroll by whole ones. */
export const MAX_GAP_PX = 2;

/** What is seen of content that is `height` high, `scrolled` within a box whose top is at `top`, of which `clip` is in sight. */
export const stretchInView = (
  { top, height, scrolled }: { readonly top: number; readonly height: number; readonly scrolled: number },
  clip: Stretch,
): Stretch | undefined => {
  const from = Math.max(top, clip.from) - top + scrolled;
  const to = Math.min(top + height, clip.to) - top + scrolled;
  return to > from ? { from, to } : undefined;
};

/** The stretches with one more, in their order, those that touch joined. */
export const addStretch = (seen: readonly Stretch[], added: Stretch): readonly Stretch[] => {
  const joined: Stretch[] = [];
  for (const next of [...seen, added].sort((one, other) => one.from - other.from)) {
    const last = joined.at(-1);
    if (last === undefined || next.from > last.to + MAX_GAP_PX) joined.push(next);
    else joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, next.to) };
  }
  return joined;
};

/** Where the first part begins that has not been in view; undefined when all of it was. */
export const firstUnseen = (seen: readonly Stretch[], height: number): number | undefined => {
  const [first] = seen;
  if (first === undefined || first.from > MAX_GAP_PX) return height > 0 ? 0 : undefined;
  return first.to < height - MAX_GAP_PX ? first.to : undefined;
};
