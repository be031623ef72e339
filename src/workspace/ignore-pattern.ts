/**
 * One line of a `.gitignore` as a test of paths, by the rules of git (gitignore(5)). What a name or an ending says is compared;
 * all else goes to RE2, which takes linear time for every pattern: a regular expression that tries again and again once held
 * an object for over a minute.
 */
import { RE2JS } from "re2js";

/** Whether a line names a path, which is relative to the directory of its `.gitignore` and has no slash at its end. */
type PathTest = (path: string, name: string) => boolean;

/** What a line says. */
export type IgnorePattern = {
  readonly isNegative: boolean;
  /** It names directories alone. */
  readonly isForDirectories: boolean;
  readonly names: PathTest;
};

/** Longest pattern, in UTF-16 units: a path may have 4,096, and nobody writes one out. */
export const MAX_PATTERN_LENGTH = 1_000;

/** Most wildcards of a pattern: each makes every character of a path more work. */
export const MAX_WILDCARDS = 50;

/** Whether a pattern is more than any tree of files needs. */
export const isAbsurd = (pattern: string): boolean =>
  pattern.length > MAX_PATTERN_LENGTH || (pattern.match(/\*+|\?|\[/g)?.length ?? 0) > MAX_WILDCARDS;

/** Reads a line; undefined for one that names nothing: blank, a comment, no pattern, or absurd. */
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

/** Blanks at the end do not count unless a backslash stands before them. */
const withoutEnd = (line: string): string => {
  let end = line.length;
  while (line[end - 1] === " " && !isEscaped(line, end - 1)) end -= 1;
  return line.slice(0, end);
};

/** Whether an odd number of backslashes stands before a place. */
const isEscaped = (text: string, place: number): boolean => {
  let before = place;
  while (text[before - 1] === "\\") before -= 1;
  return (place - before) % 2 === 1;
};

/** Without a slash before its end a pattern is of names, at any depth; with one it is of paths. */
const pathTest = (pattern: string): PathTest | undefined => {
  if (!pattern.includes("/")) {
    const test = textTest(pattern);
    return test && ((_, name) => test(name));
  }
  const test = textTest(pattern.startsWith("/") ? pattern.slice(1) : pattern);
  return test && ((path) => test(path));
};

const SPECIAL = /[*?[\\]/;

type TextTest = (text: string) => boolean;

const textTest = (pattern: string): TextTest | undefined => {
  if (!SPECIAL.test(pattern)) return (text) => text === pattern;
  const [, ending] = /^\*([^*?[\\/]+)$/.exec(pattern) ?? [];
  if (ending !== undefined) return (text) => !text.slice(0, -ending.length).includes("/") && text.endsWith(ending);
  const source = patternSource(pattern);
  if (source === undefined) return undefined;
  const regex = RE2JS.compile(source, RE2JS.DOTALL);
  return (text) => regex.matches(text);
};

/**
 * The whole pattern as RE2 reads it; undefined when it can name nothing. What comes before the first wildcard of a path git
 * compares by itself, so that two stars right behind it stand at a beginning.
 */
const patternSource = (pattern: string): string | undefined => {
  const plain = pattern.includes("/") ? (/^[^*?[\\]*/.exec(pattern)?.[0] ?? "") : "";
  const segments = pattern.slice(plain.length).split("/");
  let source = RE2JS.quote(plain);
  for (const [place, segment] of segments.entries()) {
    const isLast = place === segments.length - 1;
    if (/^\*{2,}$/.test(segment)) {
      // Directories, none among them; at the end, all that is below.
      source += isLast ? ".*" : "(?:.*/)?";
      continue;
    }
    const written = segmentSource(segment);
    if (written === undefined) return undefined;
    source += isLast ? written : `${written}/`;
  }
  return source;
};

/** One part between slashes, which no wildcard passes. */
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
      // A backslash makes the next character plain; at the end there is none, and git takes the pattern for invalid.
      const plain = character === "\\" ? segment[place + 1] : character;
      if (plain === undefined) return undefined;
      source += RE2JS.quote(plain);
      place += character === "\\" ? 2 : 1;
    }
  }
  return source;
};

/** Named sets, as wildmatch has them. */
const NAMED_SET = /^\[:(alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit):\]/;

/** A set such as `[a-z]` that begins at a place; undefined when it is not closed or has nothing in it. */
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
    // One the wrong way round has its first character alone, as git reads it.
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

/** Code points from one to another, but for the slash, which no set has; nothing when they are the wrong way round. */
const rangeSource = (low: number, high: number): string =>
  low > high
    ? ""
    : low <= SLASH && SLASH <= high
      ? `${rangeSource(low, SLASH - 1)}${rangeSource(SLASH + 1, high)}`
      : `\\x{${low.toString(16)}}-\\x{${high.toString(16)}}`;
