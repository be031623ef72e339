/**
 * One line of a `.gitignore` as a test of paths, by git's own rules (gitignore(5)). Plain names and extensions are compared;
 * everything else is matched by RE2, which takes linear time for every pattern: a backtracking regular expression can block an
 * object for over a minute.
 */
import { RE2JS } from "re2js";

/** Whether a line matches a path, which is relative to the directory of its `.gitignore` and has no trailing slash. */
type PathTest = (path: string, name: string) => boolean;

/** What a line means. */
export type IgnorePattern = {
  readonly isNegative: boolean;
  /** It matches directories only. */
  readonly isForDirectories: boolean;
  readonly names: PathTest;
};

/** Longest pattern, in UTF-16 units: a path may have 4,096, and nobody writes out a whole one. */
export const MAX_PATTERN_LENGTH = 1_000;

/** Most wildcards of a pattern: with each, every character of a path takes more work. */
export const MAX_WILDCARDS = 50;

/** Whether a pattern is more complex than any tree of files needs. */
export const isAbsurd = (pattern: string): boolean =>
  pattern.length > MAX_PATTERN_LENGTH || (pattern.match(/\*+|\?|\[/g)?.length ?? 0) > MAX_WILDCARDS;

/** Reads a line; undefined for one that matches nothing: blank, a comment, invalid, or absurdly complex. */
export const readIgnoreLine = (line: string): IgnorePattern | undefined => {
  const whole = withoutEnd(line);
  if (whole === "" || whole.startsWith("#") || isAbsurd(whole)) return undefined;
  const isNegative = whole.startsWith("!");
  const given = isNegative ? whole.slice(1) : whole;
  const isForDirectories = given.endsWith("/");
  const pattern = isForDirectories ? given.slice(0, -1) : given;
  const names = pattern === "" ? undefined : pathTest(pattern);
  return names && { isNegative, isForDirectories, names };
};

/** Trailing blanks are dropped unless a backslash comes before them. */
const withoutEnd = (line: string): string => {
  let end = line.length;
  while (line[end - 1] === " " && !isEscaped(line, end - 1)) end -= 1;
  return line.slice(0, end);
};

/** Whether an odd number of backslashes comes before a position. */
const isEscaped = (text: string, place: number): boolean => {
  let before = place;
  while (text[before - 1] === "\\") before -= 1;
  return (place - before) % 2 === 1;
};

/** A pattern without a slash before its end matches names at any depth; one with a slash matches paths. */
const pathTest = (pattern: string): PathTest | undefined => {
  if (!pattern.includes("/")) {
    const test = textTest(pattern, "");
    return test && ((_, name) => test(name));
  }
  const path = pattern.startsWith("/") ? pattern.slice(1) : pattern;
  const test = textTest(path, /^[^*?[\\]*/.exec(path)?.[0] ?? "");
  return test && ((path) => test(path));
};

const SPECIAL = /[*?[\\]/;

type TextTest = (text: string) => boolean;

/** `plain`: what precedes the first wildcard of a path. */
const textTest = (pattern: string, plain: string): TextTest | undefined => {
  if (!SPECIAL.test(pattern)) return (text) => text === pattern;
  const [, ending] = /^\*([^*?[\\/]+)$/.exec(pattern) ?? [];
  if (ending !== undefined) return (text) => !text.slice(0, -ending.length).includes("/") && text.endsWith(ending);
  const source = patternSource(pattern, plain);
  if (source === undefined) return undefined;
  const regex = RE2JS.compile(source, RE2JS.DOTALL);
  return (text) => regex.matches(text);
};

/**
 * The whole pattern for RE2; undefined when it can match nothing. Git compares what precedes the first wildcard of a path
 * separately, so two stars right after it count as the beginning of a part.
 */
const patternSource = (pattern: string, plain: string): string | undefined => {
  const segments = pattern.slice(plain.length).split("/");
  let source = RE2JS.quote(plain);
  for (const [place, segment] of segments.entries()) {
    const isLast = place === segments.length - 1;
    if (/^\*{2,}$/.test(segment)) {
      // Any number of directories, including zero; at the end, everything below.
      source += isLast ? ".*" : "(?:.*/)?";
      continue;
    }
    const written = segmentSource(segment);
    if (written === undefined) return undefined;
    source += isLast ? written : `${written}/`;
  }
  return source;
};

/** One part between slashes, which no wildcard crosses. */
const segmentSource = (segment: string): string | undefined => {
  let source = "";
  for (let place = 0; place < segment.length; ) {
    const character = segment[place] ?? "";
    if (character === "*") {
      while (segment[place] === "*") place += 1;
      source += "[^/]*";
    } else if (character === "?") {
      source += "[^/]";
      place += 1;
    } else if (character === "[") {
      const set = readSet(segment, place);
      if (set === undefined) return undefined;
      source += set.source;
      place = set.end;
    } else {
      // A backslash makes the next character literal; at the end there is none, and git considers the pattern invalid.
      const plain = character === "\\" ? segment[place + 1] : character;
      if (plain === undefined) return undefined;
      source += RE2JS.quote(plain);
      place += character === "\\" ? 2 : 1;
    }
  }
  return source;
};

/** Named sets, as in wildmatch. */
const NAMED_SET = /^\[:(alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit):\]/;

/** A set such as `[a-z]` that begins at a position; undefined when it is empty or not closed. */
const readSet = (segment: string, start: number): { readonly source: string; readonly end: number } | undefined => {
  let place = start + 1;
  const isNegative = segment[place] === "!" || segment[place] === "^";
  if (isNegative) place += 1;
  let source = "";
  for (let isFirst = true; isFirst || segment[place] !== "]"; isFirst = false) {
    const named = NAMED_SET.exec(segment.slice(place))?.[0];
    if (named !== undefined) {
      source += named;
      place += named.length;
      continue;
    }
    const low = readMember(segment, place);
    if (low === undefined) return undefined;
    const isRange = segment[low.end] === "-" && segment[low.end + 1] !== "]";
    const high = isRange ? readMember(segment, low.end + 1) : low;
    if (high === undefined) return undefined;
    // A reversed range contains only its first character, as git reads it.
    source += rangeSource(low.code, Math.max(low.code, high.code));
    place = high.end;
  }
  if (isNegative) return { source: `[^/${source}]`, end: place + 1 };
  return source === "" ? undefined : { source: `[${source}]`, end: place + 1 };
};

const readMember = (segment: string, place: number): { readonly code: number; readonly end: number } | undefined => {
  const at = segment[place] === "\\" ? place + 1 : place;
  const code = segment.codePointAt(at);
  return code === undefined ? undefined : { code, end: at + String.fromCodePoint(code).length };
};

const SLASH = 0x2f;

/** The range of code points without the slash, which no set contains; empty when it is reversed. */
const rangeSource = (low: number, high: number): string =>
  low > high
    ? ""
    : low <= SLASH && SLASH <= high
      ? `${rangeSource(low, SLASH - 1)}${rangeSource(SLASH + 1, high)}`
      : `\\x{${low.toString(16)}}-\\x{${high.toString(16)}}`;
