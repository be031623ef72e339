/** A text in which the words that a search found are marked. */
import { foldText } from "../../../../contract/fold-text.ts";

/** A piece of a text. All pieces joined are the text. */
type TextPiece = { readonly text: string; readonly isMatch: boolean };

/** Cuts `text` at the places that match any of `words` (as `searchWords` folds them). */
export const findMarks = (text: string, words: readonly string[]): readonly TextPiece[] => {
  if (words.length === 0) return [{ text, isMatch: false }];
  const letters = [...text];
  const folded = letters.map(foldText);
  // A letter folds to none, one or several: `at` maps each UTF-16 unit of what they fold to, as `indexOf` counts, to its letter.
  const at = folded.flatMap((part, index) => part.split("").map(() => index));
  const line = folded.join("");
  const hits = new Set<number>();
  for (const word of words) {
    for (let start = line.indexOf(word); start >= 0; start = line.indexOf(word, start + 1)) {
      for (const letter of at.slice(start, start + word.length)) hits.add(letter);
    }
  }
  return pieces(letters, hits);
};

/** `hits` are indexes of letters. */
const pieces = (letters: readonly string[], hits: ReadonlySet<number>): readonly TextPiece[] => {
  const found: { text: string; isMatch: boolean }[] = [];
  for (const [index, letter] of letters.entries()) {
    const isMatch = hits.has(index);
    const last = found.at(-1);
    if (last?.isMatch === isMatch) last.text += letter;
    else found.push({ text: letter, isMatch });
  }
  return found;
};

/** `words` are folded. Not a component: a list has three of these in each row. */
export const markedText = (text: string, words: readonly string[]) =>
  words.length === 0 ? text : findMarks(text, words).map(markedPiece);

const markedPiece = ({ text, isMatch }: TextPiece) => (isMatch ? <mark>{text}</mark> : text);
