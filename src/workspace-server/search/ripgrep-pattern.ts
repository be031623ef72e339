/**
 * Translates a pattern for ripgrep's engine, which selects the files worth matching. It may find too much, since RE2 matches every
 * file again, but never too little: where the two languages differ, the translation asks for less (decision 0034).
 */

/** A part of a pattern: how it is written for ripgrep, and its length in the given pattern. */
type Piece = { readonly written: string; readonly length: number };

const ITEMS: Readonly<Record<string, string>> = {
  d: "0-9",
  w: "0-9A-Za-z_",
  s: "\\x09\\x0C\\x0D\\x20",
};

const CONTROLS: Readonly<Record<string, string>> = { t: "\\x09", f: "\\x0C", v: "\\x0B", r: "\\x0D", a: "\\x07" };

/**
 * What `\` and this character mean inside a class, as a set that both engines read alike: RE2's escapes are ASCII, ripgrep's are
 * Unicode. Undefined when that is not known for certain.
 */
const escapedItems = (character: string): string | undefined => {
  if (/^[!-/:-@[-`{-~]$/.test(character)) return `\\x{${character.charCodeAt(0).toString(16)}}`;
  return ITEMS[character] ?? CONTROLS[character];
};

/** A class of everything but `items`. Bytes that are not UTF-8 are read as a separate character, so the class contains them. */
const negatedClass = (items: string): string => `(?:[^\\x0A${items}]|(?-u:[\\x80-\\xFF]){1,4})`;

/** What `\` and this character mean on their own. */
const escapedSet = (character: string): string | undefined => {
  const items = escapedItems(character);
  if (items !== undefined) return `[${items}]`;
  const negated = /^[DWS]$/.test(character) ? ITEMS[character.toLowerCase()] : undefined;
  return negated === undefined ? undefined : negatedClass(negated);
};

const REPLACEMENT = 0xfffd;

/** Reads the class that `rest` begins with. Undefined for one with named classes, or with items that are not plain. */
const readClass = (rest: string): Piece | undefined => {
  const start = /^\[\^?/.exec(rest)?.[0] ?? "";
  let items = "";
  let index = start.length;
  // A bracket that comes first is an item.
  for (let isFirst = true; isFirst || rest[index] !== "]"; isFirst = false) {
    const item = itemAt(rest.slice(index));
    if (item === undefined) return undefined;
    items += item.written;
    index += item.length;
  }
  return { written: start === "[^" ? negatedClass(items) : `[${items}]`, length: index + 1 };
};

const itemAt = (rest: string): Piece | undefined => {
  const first = String.fromCodePoint(rest.codePointAt(0) ?? 0);
  if (rest === "" || rest.startsWith("[:")) return undefined;
  if (first === "\\") {
    const items = escapedItems(rest[1] ?? "");
    // A range from or to an escape is not plain.
    return items === undefined || /^-[^\]]/.test(rest.slice(2)) ? undefined : { written: items, length: 2 };
  }
  const after = rest.slice(first.length);
  const last = /^-([^\]\\[])/u.exec(after)?.[1];
  if (last === undefined) return after.startsWith("-[") || after.startsWith("-\\") ? undefined : range(first, first, 0);
  return range(first, last, 1 + last.length);
};

const range = (first: string, last: string, more: number): Piece | undefined => {
  const [from, to] = [first.codePointAt(0) ?? 0, last.codePointAt(0) ?? 0];
  const isPlain = from >= 0x20 && from <= to && (to < REPLACEMENT || from > REPLACEMENT);
  if (!isPlain) return undefined;
  const written = from === to ? hex(from) : `${hex(from)}-${hex(to)}`;
  return { written, length: first.length + more };
};

const hex = (code: number): string => `\\x{${code.toString(16)}}`;

/** Longer patterns are matched without ripgrep. */
const MAX_PATTERN_CHARACTERS = 1_000;

/** A character as RE2 reads it, in bytes: one for ASCII, up to four for UTF-8, up to three that are not UTF-8 and are read as U+FFFD. */
const ANY_CHARACTER = "(?:(?-u:[^\\n]){1,4})";

/** For us the first line begins after a byte order mark. */
const LINE_START = "(?:^\\x{FEFF}?)";

/** For us a line also ends before a carriage return. */
const LINE_END = "(?:\\x0D?$)";

/** Matches everywhere, so it excludes no file. */
const NOTHING = "(?:)";

const QUANTIFIER = /^([*+?]|\{\d+(?:,\d*)?\})(\?)?/;

const GROUP_START = /^\((?:\?:|\?P?<\w+>)?(?!\?)/;

/** The pattern for ripgrep; undefined when it contains anything whose meaning may differ. `pattern` is valid in RE2. */
export const ripgrepPattern = (pattern: string): string | undefined => {
  if (pattern.length > MAX_PATTERN_CHARACTERS || !pattern.isWellFormed()) return undefined;
  const isCaseless = pattern.startsWith("(?i)");
  let written = isCaseless ? "(?i)" : "";
  const start = written.length;
  for (let index = start; index < pattern.length; ) {
    const piece = pieceAt(pattern.slice(index), index === start);
    if (piece === undefined) return undefined;
    written += piece.written;
    index += piece.length;
  }
  return written;
};

/**
 * Anchors are translated only at the pattern's two ends, where most people write them. In between, as in `$^`, the two engines
 * disagree about an empty line.
 */
const pieceAt = (rest: string, isFirst: boolean): Piece | undefined => {
  const [quantifier, count] = QUANTIFIER.exec(rest) ?? [];
  // Lazy or greedy: the same lines match.
  if (quantifier !== undefined) return { written: count ?? "", length: quantifier.length };
  const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
  switch (character) {
    case "(": {
      const start = GROUP_START.exec(rest)?.[0];
      return start === undefined ? undefined : { written: "(?:", length: start.length };
    }
    case ")":
    case "|":
      return { written: character, length: 1 };
    case "^":
      return { written: isFirst ? LINE_START : NOTHING, length: 1 };
    case "$":
      return { written: rest.length === 1 ? LINE_END : NOTHING, length: 1 };
    case ".":
      return { written: ANY_CHARACTER, length: 1 };
    case "[":
      return readClass(rest);
    case "\\":
      return escapeAt(rest, isFirst);
    default:
      return literal(character);
  }
};

const escapeAt = (rest: string, isFirst: boolean): Piece | undefined => {
  switch (rest[1]) {
    case "A":
      return { written: isFirst ? LINE_START : NOTHING, length: 2 };
    case "z":
      return { written: rest.length === 2 ? LINE_END : NOTHING, length: 2 };
    // Where a word ends depends on the bytes around it, so neither is translated.
    case "b":
    case "B":
      return { written: NOTHING, length: 2 };
    default: {
      const set = escapedSet(rest[1] ?? "");
      return set === undefined ? undefined : { written: set, length: 2 };
    }
  }
};

const literal = (character: string): Piece | undefined => {
  const code = character.codePointAt(0) ?? 0;
  // One of the engines may end a line at a control character; U+FFFD also stands for bytes that are not UTF-8.
  if ((code < 0x20 && character !== "\t") || code === 0xfffd) return undefined;
  return { written: `\\x{${code.toString(16)}}`, length: character.length };
};
