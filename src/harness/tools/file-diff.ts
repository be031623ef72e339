/** The unified diff that a person is shown of a change. Its cost and its size are bounded for any files. */
import { createTwoFilesPatch, FILE_HEADERS_ONLY, formatPatch, type StructuredPatchHunk } from "diff";
import { decodeText, type FoundFile, formatSize } from "./found-file.ts";

/**
 * Edits after which the search for the shortest diff gives up: about 0.1 s of CPU time. A time limit would not work: a Worker's clock does
 * not advance while it computes.
 */
const MAX_EDIT_LENGTH = 1_000;

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
  if (oldText !== undefined && newText !== undefined) {
    const diff = shortestDiff(names, oldText, newText) ?? wholeDiff(names, oldText, newText);
    if (new TextEncoder().encode(JSON.stringify(diff)).byteLength <= MAX_DIFF_BYTES) return { diff, isWhole: true };
  }
  const header = formatPatch(patchOf(names, []), FILE_HEADERS_ONLY);
  return { diff: `${header}Not shown line by line: ${describe(before)} → ${describe(after)}\n`, isWhole: false };
};

type Names = { readonly old: string; readonly new: string };

const shortestDiff = (names: Names, oldText: string, newText: string): string | undefined =>
  createTwoFilesPatch(names.old, names.new, oldText, newText, undefined, undefined, {
    context: CONTEXT_LINES,
    headerOptions: FILE_HEADERS_ONLY,
    maxEditLength: MAX_EDIT_LENGTH,
  });

/** All old lines removed, all new lines added: valid for any two texts, and made in one pass. */
const wholeDiff = (names: Names, oldText: string, newText: string): string => {
  const removed = markedLines(oldText, "-");
  const added = markedLines(newText, "+");
  const hunk = {
    oldStart: 1,
    oldLines: removed.count,
    newStart: 1,
    newLines: added.count,
    lines: [...removed.lines, ...added.lines],
  };
  return formatPatch(patchOf(names, [hunk]), FILE_HEADERS_ONLY);
};

const patchOf = (names: Names, hunks: StructuredPatchHunk[]) => ({
  oldFileName: names.old,
  newFileName: names.new,
  oldHeader: undefined,
  newHeader: undefined,
  hunks,
});

const markedLines = (text: string, mark: "-" | "+"): { readonly lines: string[]; readonly count: number } => {
  const all = text.split("\n");
  const endsWithNewline = all.at(-1) === "";
  if (endsWithNewline) all.pop();
  const lines = all.map((line) => mark + line);
  return { lines: endsWithNewline || text === "" ? lines : [...lines, NO_NEWLINE], count: all.length };
};

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
