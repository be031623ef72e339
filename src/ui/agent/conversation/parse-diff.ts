/** Reads a unified diff into lines to show. */
import { MAX_BLANK_LINES } from "../permission/text-parts.ts";

/** `text` is without its mark. Numbers count lines of the old and the new file, from 1. */
export type DiffLine = {
  readonly kind: "hunk" | "add" | "remove" | "same" | "note";
  readonly text: string;
};

/** The lines of a diff, without the names of files: those stand above it. */
export const parseDiff = (diff: string): readonly DiffLine[] => {
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const start = lines.findIndex((line) => line.startsWith("@@"));
  // Without a hunk it is no diff we know: shown as it is.
  if (start < 0) return lines.map((text) => ({ kind: "same", text }));
  return lines.slice(start).map(readLine);
};

const readLine = (line: string): DiffLine => {
  const text = line.slice(1);
  switch (line.charAt(0)) {
    case "+":
      return { kind: "add", text };
    case "-":
      return { kind: "remove", text };
    case "@":
      return { kind: "hunk", text: line };
    case "\\":
      return { kind: "note", text: text.trim() };
    default:
      return { kind: "same", text };
  }
};

/** A row of a diff on the screen: a line, or `count` blank ones of the same kind. */
export type DiffRow = DiffLine & { readonly count: number };

/** The lines as rows: blank ones push what follows out of sight, so more than a few in a row become one. */
export const foldBlankLines = (lines: readonly DiffLine[]): readonly DiffRow[] => {
  const rows: DiffRow[] = [];
  let start = 0;
  while (start < lines.length) {
    const end = endOfBlanks(lines, start);
    const first = lines[start];
    const isFolded = first !== undefined && end - start > MAX_BLANK_LINES;
    if (isFolded) rows.push({ ...first, count: end - start });
    else rows.push(...lines.slice(start, Math.max(end, start + 1)).map((line) => ({ ...line, count: 1 })));
    start = Math.max(end, start + 1);
  }
  return rows;
};

/** Behind the last of the blank lines that begin at `start` and are of one kind; `start` where none does. */
const endOfBlanks = (lines: readonly DiffLine[], start: number): number => {
  let end = start;
  while (lines[end]?.kind === lines[start]?.kind && /^[ \t]*$/.test(lines[end]?.text ?? "x")) end += 1;
  return end;
};

/** How many lines came and went. */
export const countChanges = (lines: readonly DiffLine[]): { readonly added: number; readonly removed: number } => ({
  added: lines.filter(({ kind }) => kind === "add").length,
  removed: lines.filter(({ kind }) => kind === "remove").length,
});
