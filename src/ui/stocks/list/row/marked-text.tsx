/** A text in which the words that a search found are marked. */
import { foldText } from "../../../../contract/fold-text.ts";

/** A piece of a text. All pieces joined are the text. */
type TextPiece = { readonly text: string; readonly isMatch: boolean };

/** Cuts `text` at the places that match any of `words` (as `searchWords` folds them). */
export const findMarks = (text: string, words: readonly string[]): readonly TextPiece[] => {
  if (words.length === 0) return [{ text, isMatch: false }];
  // A letter folds to none, one or several letters: `at` maps each folded letter to its origin.
  const letters = [...text];
  const folded = letters.map(foldText);
  const at = folded.flatMap((part, index) => [...part].map(() => index));
  const hits = new Set(words.flatMap((word) => placesOf(folded.join(""), word)).map((place) => at[place]));
  return pieces(letters, hits);
};

/** Every position, in folded letters, that is part of an occurrence of `word`. */
const placesOf = (folded: string, word: string): number[] => {
  const places: number[] = [];
  for (let start = folded.indexOf(word); start >= 0; start = folded.indexOf(word, start + 1)) {
    for (let offset = 0; offset < word.length; offset += 1) places.push(start + offset);
  }
  return places;
};

const pieces = (letters: readonly string[], hits: ReadonlySet<number | undefined>): readonly TextPiece[] => {
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
