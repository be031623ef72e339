/** The unified diff that a person is shown of a change. Its cost and its size are bounded for any files. */
import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatchHunk, structuredPatch } from "diff";
import { newlinesBefore } from "./find-text.ts";
import { decodeText, type FoundFile, formatSize } from "./found-file.ts";

/**
 * Edits after which the search for the shortest diff gives up: about 0.1 s of CPU time. A time limit would not work: a Worker's clock does
 * not advance while it computes.
 */
const MAX_EDIT_LENGTH = 1_000;

/**
 * Most lines that are compared, of both texts together, not counting the lines with which both begin or end. In memory each line takes many
 * times its length, and each edit may look at all of them.
 */
const MAX_LINES = 50_000;

/** Longest diff as JSON in UTF-8 bytes: it is stored in one row, and a row is limited to 2 MB. */
const MAX_DIFF_BYTES = 1_000_000;

const CONTEXT_LINES = 3;

const NO_NEWLINE = "\\ No newline at end of file";

/** A diff. `isWhole` is false when the change is only described, because it is not text or is too long. */
export type FileDiff = { readonly diff: string; readonly isWhole: boolean };

/** What changes at `path` between two states; `absent` means that the file is created or deleted. */
export const fileDiff = (path: string, before: FoundFile, after: FoundFile): FileDiff => {
  const names = {
    old: before.type === "absent" ? "/dev/null" : `a/${path}`,
    new: after.type === "absent" ? "/dev/null" : `b/${path}`,
  };
  const oldText = textOf(before);
  const newText = textOf(after);
  const hunks = oldText === undefined || newText === undefined ? undefined : hunksOf(oldText, newText);
  const diff = hunks && formatPatch(patchOf(names, hunks), FILE_HEADERS_ONLY);
  if (diff !== undefined && isShort(diff)) return { diff, isWhole: true };
  const header = formatPatch(patchOf(names, []), FILE_HEADERS_ONLY);
  return { diff: `${header}Not shown line by line: ${describe(before)} → ${describe(after)}\n`, isWhole: false };
};

/** Checks the length first, because as JSON a diff may be six times as long. */
const isShort = (diff: string): boolean =>
  diff.length <= MAX_DIFF_BYTES && new TextEncoder().encode(JSON.stringify(diff)).byteLength <= MAX_DIFF_BYTES;

/** The differences; undefined when too many lines would have to be compared. */
const hunksOf = (oldText: string, newText: string): StructuredPatchHunk[] | undefined => {
  const start = commonStart(oldText, newText);
  const end = commonEnd(oldText, newText, start);
  const removed = oldText.slice(start, oldText.length - end);
  const added = newText.slice(start, newText.length - end);
  if (newlinesBefore(removed) + newlinesBefore(added) > MAX_LINES) return undefined;
  let [from, to] = [start, oldText.length - end];
  for (let line = 0; line < CONTEXT_LINES; line += 1) {
    from = oldText.slice(0, Math.max(0, from - 1)).lastIndexOf("\n") + 1;
    to = oldText.indexOf("\n", to) + 1 || oldText.length;
  }
  const above = oldText.slice(from, start);
  const below = oldText.slice(oldText.length - end, to);
  const patch = structuredPatch("", "", above + removed + below, above + added + below, undefined, undefined, {
    context: CONTEXT_LINES,
    maxEditLength: MAX_EDIT_LENGTH,
  });
  const hunks = patch?.hunks ?? [wholeHunk(above, removed, added, below)];
  const before = newlinesBefore(oldText, from);
  return hunks.map((hunk) => ({ ...hunk, oldStart: before + hunk.oldStart, newStart: before + hunk.newStart }));
};

/** Length of the whole lines that both begin with. */
const commonStart = (one: string, other: string): number => {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length).lastIndexOf("\n") + 1;
};

/** Length of the whole lines that both end with, not counting their common start. */
const commonEnd = (one: string, other: string, start: number): number => {
  const most = Math.min(one.length, other.length) - start;
  let [length, whole] = [0, 0];
  // A line also begins where the text does.
  const before = (text: string) => text[text.length - 1 - length] ?? "\n";
  for (; length <= most && before(one) === before(other); length += 1) {
    if (before(one) === "\n") whole = length;
  }
  return whole;
};

/** All old lines removed, all new lines added: valid for any two texts, and made in one pass. */
const wholeHunk = (above: string, removed: string, added: string, below: string): StructuredPatchHunk => {
  const lines = [...marked(above, " "), ...marked(removed, "-"), ...marked(added, "+"), ...marked(below, " ")];
  const countWithout = (mark: string) => lines.filter((line) => line[0] !== mark && line !== NO_NEWLINE).length;
  return { oldStart: 1, oldLines: countWithout("+"), newStart: 1, newLines: countWithout("-"), lines };
};

const marked = (text: string, mark: string): string[] => {
  const lines = text.split("\n").map((line) => mark + line);
  const last = lines.pop() ?? mark;
  return last === mark ? lines : [...lines, last, NO_NEWLINE];
};

type Names = { readonly old: string; readonly new: string };

const patchOf = (names: Names, hunks: StructuredPatchHunk[]) => ({
  oldFileName: names.old,
  newFileName: names.new,
  oldHeader: undefined,
  newHeader: undefined,
  hunks,
});

const textOf = (file: FoundFile): string | undefined => {
  if (file.type === "absent") return "";
  if (file.type === "large") return undefined;
  const decoded = decodeText(file.bytes);
  return "text" in decoded ? decoded.text : undefined;
};

const describe = (file: FoundFile): string => {
  switch (file.type) {
    case "absent":
      return "no file";
    case "large":
      return formatSize(file.size);
    case "whole":
      return `${formatSize(file.bytes.byteLength)}${textOf(file) === undefined ? " that are not text" : ""}`;
  }
};
