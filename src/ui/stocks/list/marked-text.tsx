/** A text with what the search found in it made visible. */
import { findMarks, type TextPiece } from "./find-marks.ts";

type MarkedTextProps = {
  readonly text: string;
  /** Folded. */
  readonly words: readonly string[];
};

/** Without a word it is the text alone. */
export const MarkedText = ({ text, words }: MarkedTextProps) =>
  words.length === 0 ? text : findMarks(text, words).map(markedPiece);

const markedPiece = ({ text, isMatch }: TextPiece) => (isMatch ? <mark>{text}</mark> : text);
