/**
 * Moves the focus to the heading of a section in which what was pressed is gone. Whoever has gone on elsewhere meanwhile keeps it: the
 * answer may be late, and they may be writing.
 */
export const focusHeading = (heading: HTMLElement | null): void => {
  const { activeElement: now, body } = document;
  // Where `parts/keep-focus.ts` has put it already, if the answer was shown before.
  const rescue = heading?.closest("dialog")?.querySelector("button, input");
  if (now === body || now === rescue || heading?.closest("section")?.contains(now)) heading?.focus();
};
