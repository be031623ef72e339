import { asciiDigits } from "../../format/ascii-digits.ts";

/** Digits of a code. */
export const CODE_LENGTH = 6;

/** The first six digits of a text, as ASCII: people paste `123 456`, or a whole line of the mail, and type `١٢٣٤٥٦`. */
export const readCode = (text: string): string => asciiDigits(text).replace(/\D/g, "").slice(0, CODE_LENGTH);
