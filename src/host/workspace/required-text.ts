/**
 * Text that a regular expression cannot match without. Looking for bytes is a hundred times as fast as matching in
 * linear time, so files without that text are passed over unread. It is found with care, not completely: a pattern that
 * is not understood requires nothing.
 */

/** One step of a pattern at its top level. `text` is what the step stands for when it stands for just that. */
type Step = { readonly text: string | undefined; readonly length: number };

/** Escapes that match no character, so text goes on around them only in the pattern, not in the file. */
const POSITIONS = "bBAz";

/** Characters with a meaning of their own. `|` and `(` end the search, see `requiredText`. */
const SPECIAL = /[.^$*+?()[\]{}|\\]/;

/**
 * The longest such text, or the empty one. Letters count as they are written, so a pattern with groups, flags or
 * alternatives, which could change that, requires nothing.
 */
export const requiredText = (pattern: string): string => {
  // U+FFFD is also what bytes that are no UTF-8 read as.
  if (!pattern.isWellFormed() || pattern.includes("\uFFFD")) return "";
  if (/[(|]/.test(pattern.replace(/\\[\s\S]/g, ""))) return "";
  let longest = "";
  let current = "";
  for (let index = 0; index < pattern.length; ) {
    const { text, length } = stepAt(pattern, index);
    index += length;
    const quantifier = /^(?:[*+?]|\{\d*,?\d*\})\??/.exec(pattern.slice(index))?.[0] ?? "";
    index += quantifier.length;
    // `+` asks for one at least, but what follows need not stand right after it.
    const isThere = quantifier === "" || quantifier.startsWith("+");
    if (text !== undefined && isThere) current += text;
    if (current.length > longest.length) longest = current;
    if (text === undefined || quantifier !== "") current = "";
  }
  return longest;
};

const stepAt = (pattern: string, index: number): Step => {
  const character = String.fromCodePoint(pattern.codePointAt(index) ?? 0);
  if (character === "\\") {
    const escaped = pattern[index + 1] ?? "";
    // A class such as `\d`, or one with more after it such as `\x41` and `\p{L}`: nothing is known of it.
    if (/[A-Za-z0-9]/.test(escaped)) return POSITIONS.includes(escaped) ? nothing(2) : unknown(pattern, index);
    return { text: escaped, length: 2 };
  }
  if (character === "[") return unknown(pattern, index);
  if (SPECIAL.test(character)) return nothing(1);
  return { text: character, length: character.length };
};

const nothing = (length: number): Step => ({ text: undefined, length });

/** Passes over a class or an escape with more to it; over the whole rest when its end is not plain. */
const unknown = (pattern: string, index: number): Step =>
  nothing(/^(?:\\[dDsSwW]|\[[^[\]\\]+\])/.exec(pattern.slice(index))?.[0].length ?? pattern.length - index);
