/** A text with what the search found in it made visible. */
import { Fragment } from "preact";
import { findMarks } from "./find-marks.ts";

type MarkedTextProps = {
  readonly text: string;
  /** Folded. */
  readonly words: readonly string[];
};

/** Without a word it is the text alone. */
export const MarkedText = ({ text, words }: MarkedTextProps) => (
  <Fragment>
    {words.length === 0
      ? text
      : findMarks(text, words).map(({ text: piece, isMatch }) => (isMatch ? <mark>{piece}</mark> : piece))}
  </Fragment>
);
