/** The code in what was typed or pasted. */

/** Digits of a code. */
export const CODE_LENGTH = 6;

/** The first six digits: people paste `123 456`, or a whole line of the mail. */
export const readCode = (text: string): string => text.replace(/\D/g, "").slice(0, CODE_LENGTH);
