/** Escapes cells that a spreadsheet would run as formulas, in a way that can be undone exactly. */

/** Characters that start a formula, or move to a cell that does (OWASP, CSV injection), also in full width. */
const NEEDS_GUARD = /^'*[=+\-@\t\r\n＝＋－＠]/;
const HAS_GUARD = /^'+[=+\-@\t\r\n＝＋－＠]/;

/** Adds one `'` where it is needed, even if the text already has one, so that exactly this one is removed again. */
export const guardCell = (text: string): string => (NEEDS_GUARD.test(text) ? `'${text}` : text);

/** The inverse of `guardCell`. */
export const unguardCell = (cell: string): string => (HAS_GUARD.test(cell) ? cell.slice(1) : cell);
