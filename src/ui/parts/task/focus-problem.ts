import { announce } from "../announcer.tsx";

/**
 * Focuses a field that has a problem, which a screen reader then reads out with the field. The problem of a field that has the focus already
 * is announced, because nothing else reads it out.
 */
export const focusProblem = (field: HTMLElement | null | undefined, problem: string): void => {
  if (field && field === document.activeElement) announce(problem);
  field?.focus();
};
