/**
 * A pattern as ripgrep's engine takes it, to choose the files that are worth matching. It may find too much, since every
 * file is matched again by RE2, but never too little: where the two languages differ it asks for less (decision 0034).
 */
import { readClass } from "./ripgrep-class.ts";
import { escapedSet, type Piece } from "./ripgrep-escapes.ts";

/** Longer patterns are matched without ripgrep. */
const MAX_PATTERN_CHARACTERS = 1_000;

/** One character of ours in bytes: one of ASCII, up to four of UTF-8, up to three that are no UTF-8 and read as U+FFFD. */
const ANY_CHARACTER = "(?:(?-u:[^\\n]){1,4})";

/** A line's end for us is also before a carriage return. */
const LINE_END = "(?:\\x0D?$)";

/** Asks for nothing, which finds no less. */
const NOTHING = "(?:)";

const QUANTIFIER = /^([*+?]|\{\d+(?:,\d*)?\})(\?)?/;

const GROUP_START = /^\((?:\?:|\?P?<\w+>)?(?!\?)/;

/** Undefined when it holds something whose meaning may differ. `pattern` is one that RE2 takes. */
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
 * Anchors count only where most people write them, at the pattern's two ends. In between, as in `$^`, the two engines
 * do not agree on an empty line.
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
      return { written: isFirst ? "(?:^)" : NOTHING, length: 1 };
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
      return { written: isFirst ? "(?:^)" : NOTHING, length: 2 };
    case "z":
      return { written: rest.length === 2 ? LINE_END : NOTHING, length: 2 };
    // Where a word ends depends on the bytes around it: asked for by neither.
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
  // A control character may end a line for one of the two; U+FFFD is also what bytes that are no UTF-8 read as.
  if ((code < 0x20 && character !== "\t") || code === 0xfffd) return undefined;
  return { written: `\\x{${code.toString(16)}}`, length: character.length };
};
