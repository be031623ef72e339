/** Whose numbers, dates and alphabet the list uses. */

/** The browser's own language. */
export const LOCALE = navigator.language;
