/**
 * Finds a regular expression in a text, line by line. RE2 takes time in proportion to the text and to the length of its program; both have
 * a limit here, so no pattern of a model can hang the object. The price is that, like ripgrep, it has no lookaround and no backreferences.
 */
import { RE2JS, RE2JSException } from "re2js";
import { cutText } from "../contract/plain-text.ts";
import { MAX_RESULT_LENGTH, type SearchQuery, type SearchResult, WorkspaceError } from "./workspace.ts";

/** Longer lines, as in minified files, are cut in the result; the whole line is searched. */
const MAX_LINE_CHARACTERS = 2_000;

/**
 * Longest program of a pattern, in instructions: `foo.*bar` has 10, `.{0,1000}x` 2,003. Some patterns take 50 ns for each instruction
 * and each character.
 */
const MAX_PROGRAM_SIZE = 2_500;

/** `size` is the size of the pattern's program, in instructions. */
export type LineMatcher = ((line: string) => boolean) & { readonly size: number };

type FoundLine = { readonly line: number; readonly text: string; readonly isMatch: boolean };

/** @throws {WorkspaceError} `invalid`, with what is wrong with the pattern. */
export const compilePattern = (pattern: string): LineMatcher => {
  try {
    const regex = RE2JS.compile(pattern);
    const size = regex.programSize();
    if (size > MAX_PROGRAM_SIZE) throw new WorkspaceError("invalid", tooLong(pattern));
    return Object.assign((line: string) => regex.test(line), { size });
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw new WorkspaceError(
      "invalid",
      `The pattern ${JSON.stringify(pattern)} is not a regular expression in RE2 syntax (no lookaround, no backreferences): ${error.message}`,
      { cause: error },
    );
  }
};

const tooLong = (pattern: string): string =>
  `The pattern ${JSON.stringify(pattern)} repeats too much to be searched for. Use smaller numbers in {}, or fewer alternatives.`;

/**
 * The lines that a search has found so far. `addFrom` searches one file's text and adds its lines; it returns false when there are more than
 * `limit` matches, or more than may be returned: the search then ends, cut.
 */
export const lineCollector = (isMatch: LineMatcher, { context, limit }: SearchQuery) => {
  const lines: SearchResult["lines"][number][] = [];
  let matches = 0;
  let length = 0;
  const addFrom = (path: string, text: string): boolean => {
    const found = matchLines(text, isMatch, { context, maxMatches: limit - matches });
    for (const line of found.lines) {
      length += path.length + line.text.length;
      if (length > MAX_RESULT_LENGTH) return false;
      lines.push({ path, ...line });
    }
    matches += found.matches;
    return !found.isCut;
  };
  return { lines, addFrom };
};

/**
 * Matching lines with `context` lines around each, once each and in order; at most `maxMatches` of them match. A byte order mark is not part
 * of the first line.
 */
export const matchLines = (
  text: string,
  isMatch: LineMatcher,
  { context, maxMatches }: { readonly context: number; readonly maxMatches: number },
): { readonly lines: FoundLine[]; readonly matches: number; readonly isCut: boolean } => {
  const all = text.replace(/^\uFEFF/, "").split("\n");
  if (all.at(-1) === "") all.pop();
  const lines: FoundLine[] = [];
  let matches = 0;
  let shownUntil = 0;
  for (const [index, line] of all.entries()) {
    if (!isMatch(withoutReturn(line))) {
      if (index < shownUntil) lines.push(found(all, index, false));
      continue;
    }
    if (matches === maxMatches) return { lines, matches, isCut: true };
    for (let before = Math.max(index - context, shownUntil); before < index; before += 1) {
      lines.push(found(all, before, false));
    }
    lines.push(found(all, index, true));
    matches += 1;
    shownUntil = index + context + 1;
  }
  return { lines, matches, isCut: false };
};

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);

const found = (all: readonly string[], index: number, isMatch: boolean): FoundLine => ({
  line: index + 1,
  text: copied(cutText(withoutReturn(all[index] ?? ""), MAX_LINE_CHARACTERS)),
  isMatch,
});

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** Copies a text to memory of its own: otherwise a part of a string keeps the whole string in memory, here a whole file. */
const copied = (text: string): string => decoder.decode(new TextEncoder().encode(text));
