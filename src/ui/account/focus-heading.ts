/**
 * Moves the focus to the heading of a section whose pressed button is gone. If the person has gone on elsewhere meanwhile, the focus stays
 * there: the answer may be late, and they may be writing.
 */
export const focusHeading = (heading: HTMLElement | null): void => {
  const { activeElement: now, body } = document;
  // Where `parts/keep-focus.ts` has already put the focus, if the answer was shown before.
  const rescue = heading?.closest("dialog")?.querySelector("button, input");
  if (now === body || now === rescue || heading?.closest("section")?.contains(now)) heading?.focus();
};
