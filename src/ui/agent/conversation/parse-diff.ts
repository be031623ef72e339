/** Reads a unified diff into lines to show. */

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

/** How many lines came and went. */
export const countChanges = (lines: readonly DiffLine[]): { readonly added: number; readonly removed: number } => ({
  added: lines.filter(({ kind }) => kind === "add").length,
  removed: lines.filter(({ kind }) => kind === "remove").length,
});
