/** Finds a text in another one in linear time, because both may come from strangers. */

/** Offsets in a text; `end` is behind the last character. */
type Place = { readonly start: number; readonly end: number };

/**
 * The places of `sought`, which is not empty, in order and without overlap. Offsets for which `isLeftOut` is true are skipped, but a place
 * includes the skipped ones directly before it. This is the algorithm of Knuth, Morris and Pratt: where texts repeat themselves, `indexOf`
 * takes the product of both lengths, which for a file can be hours.
 */
export function* findText(
  text: string,
  sought: string,
  isLeftOut: (at: number) => boolean = () => false,
): Generator<Place> {
  const borders = bordersOf(sought);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (isLeftOut(at)) continue;
    length = grown(sought, borders, length, text.charCodeAt(at));
    if (length < sought.length) continue;
    yield { start: startOf(at + 1, length, isLeftOut), end: at + 1 };
    length = 0;
  }
}

/** For each prefix of a text, by its last offset: the length of the longest shorter prefix that it also ends with. */
const bordersOf = (text: string): Int32Array => {
  const borders = new Int32Array(text.length);
  for (let at = 1; at < text.length; at += 1) {
    borders[at] = grown(text, borders, borders[at - 1] ?? 0, text.charCodeAt(at));
  }
  return borders;
};

/** How many units of `sought` match once `unit` follows a match of `length` units. */
const grown = (sought: string, borders: Int32Array, length: number, unit: number): number => {
  let kept = length;
  while (kept > 0 && sought.charCodeAt(kept) !== unit) kept = borders[kept - 1] ?? 0;
  return sought.charCodeAt(kept) === unit ? kept + 1 : 0;
};

const startOf = (end: number, length: number, isLeftOut: (at: number) => boolean): number => {
  let start = end;
  for (let left = length; left > 0; ) {
    start -= 1;
    if (!isLeftOut(start)) left -= 1;
  }
  while (isLeftOut(start - 1)) start -= 1;
  return start;
};

/** How many newlines come before `place`. Counted without splitting, because a file may consist of newlines. */
export const newlinesBefore = (text: string, place = text.length): number => {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < place; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
};
