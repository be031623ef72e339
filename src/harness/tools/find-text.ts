/** Finds texts in time proportional to their length: both may come from strangers. */

/** Offsets in a text; `end` is behind the last character. */
type Place = { readonly start: number; readonly end: number };

/**
 * The places of `sought`, which is not empty, in order and without overlap. What is at an offset that `isLeftOut` names counts as not there,
 * but a place begins with what is left out before it. Made by Knuth, Morris and Pratt: where a text repeats itself, `indexOf` takes the
 * product of both lengths, which is hours for a file.
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

/** For each beginning of a text, by its last offset: the length of the longest shorter one that it also ends with. */
const bordersOf = (text: string): Int32Array => {
  const borders = new Int32Array(text.length);
  for (let at = 1; at < text.length; at += 1) {
    borders[at] = grown(text, borders, borders[at - 1] ?? 0, text.charCodeAt(at));
  }
  return borders;
};

/** How much of the beginning of `sought` is there with one unit more, after `length` of it were. */
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

/** How many newlines are before this offset. Nothing is split: a file may consist of them. */
export const newlinesBefore = (text: string, place = text.length): number => {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < place; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
};
