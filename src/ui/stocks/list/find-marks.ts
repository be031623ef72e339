/** Where a text holds the words of a search, although it was compared folded. */
import { foldText } from "../../../contract/fold-text.ts";

/** A piece of a text; all pieces together are the text. */
export type TextPiece = { readonly text: string; readonly isMatch: boolean };

/** Cuts `text` at the places that match any of `words` (as `searchWords` folds them). */
export const findMarks = (text: string, words: readonly string[]): readonly TextPiece[] => {
  if (words.length === 0) return [{ text, isMatch: false }];
  // Letters fold to none, one or several: `at` says for each folded one which letter it came from.
  const letters = [...text];
  const folded = letters.map(foldText);
  const at = folded.flatMap((part, index) => [...part].map(() => index));
  const hits = new Set(words.flatMap((word) => placesOf(folded.join(""), word)).map((place) => at[place]));
  return pieces(letters, hits);
};

/** Every place, in folded letters, that is part of an occurrence of `word`. */
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
