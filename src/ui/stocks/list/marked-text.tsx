/** A text with what the search found in it made visible. */
import { findMarks, type TextPiece } from "./find-marks.ts";

/** `words` are folded; without one it is the text alone. Not a component: a list has three of them in each row. */
export const markedText = (text: string, words: readonly string[]) =>
  words.length === 0 ? text : findMarks(text, words).map(markedPiece);

const markedPiece = ({ text, isMatch }: TextPiece) => (isMatch ? <mark>{text}</mark> : text);
