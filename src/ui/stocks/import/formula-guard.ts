/** Cells that a spreadsheet would run as formulas, made harmless in a way that can be undone exactly. */

/** What starts a formula or moves on to a cell that does (OWASP, CSV injection), also in full width. */
const NEEDS_GUARD = /^'*[=+\-@\t\r\n＝＋－＠]/;
const HAS_GUARD = /^'+[=+\-@\t\r\n＝＋－＠]/;

/** One `'` before it where it is needed, also before text that has some already: so what is taken off is what was put. */
export const guardCell = (text: string): string => (NEEDS_GUARD.test(text) ? `'${text}` : text);

/** The text as it was before `guardCell`. */
export const unguardCell = (cell: string): string => (HAS_GUARD.test(cell) ? cell.slice(1) : cell);
