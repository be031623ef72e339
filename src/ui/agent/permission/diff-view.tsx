import { useMemo, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { suffixOf } from "../markdown/code-tokens.ts";
import { colouredCode } from "../markdown/coloured-code.tsx";
import { blankLinesWords, ForeignText, MAX_BLANK_LINES, Mark, showParts } from "./foreign-text.tsx";
import { UNFOLDS } from "./use-whole-view.ts";

/** `text` is without its mark. */
type DiffLine = {
  readonly kind: "hunk" | "add" | "remove" | "same" | "note";
  readonly text: string;
};

/** The lines of a diff, without the file names, which are shown above it. */
export const parseDiff = (diff: string): readonly DiffLine[] => {
  const lines = diff.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const start = lines.findIndex((line) => line.startsWith("@@"));
  // Without a hunk it is not a diff we know, so it is shown as it is.
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
      return { kind: "hunk", text: placeOf(line) };
    case "\\":
      return { kind: "note", text: text.trim() };
    default:
      return { kind: "same", text };
  }
};

/** Where a hunk begins, in words: its line in the file as it will be or, if nothing of the file stays, as it was. */
const placeOf = (line: string): string => {
  const [, before, after] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@$/.exec(line) ?? [];
  return after === undefined ? line : `Line ${Number(after) || Number(before)}`;
};

/** A row of a diff on the screen: a line, or `count` blank ones of the same kind. */
type DiffRow = DiffLine & { readonly count: number };

/** Folds more than a few blank lines in a row into one: they would push what follows out of sight. */
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

/** The index after the blank lines of one kind that begin at `start`; `start` itself when that line is not blank. */
const endOfBlanks = (lines: readonly DiffLine[], start: number): number => {
  let end = start;
  while (lines[end]?.kind === lines[start]?.kind && /^[ \t]*$/.test(lines[end]?.text ?? "x")) end += 1;
  return end;
};

/** How many lines are added and removed. */
export const countChanges = (lines: readonly DiffLine[]): { readonly added: number; readonly removed: number } => ({
  added: lines.filter(({ kind }) => kind === "add").length,
  removed: lines.filter(({ kind }) => kind === "remove").length,
});

/** How many lines of a file a diff shows. The headings of hunks and the notes about the file's end do not count. */
export const countLines = (lines: readonly DiffLine[]): number =>
  lines.filter(({ kind }) => kind !== "hunk" && kind !== "note").length;

/** How many lines are rendered at first. More would cost time that may not be wanted. */
const FIRST_LINES = 300;

const MARKS: Readonly<Record<DiffLine["kind"], string>> = { add: "+", remove: "−", same: " ", hunk: "", note: "" };

type DiffViewProps = {
  readonly diff: string;
  readonly label: string;
  /** The file's path. Its ending decides how the lines are coloured. */
  readonly path?: string;
  /** Set if this is only the beginning. `fetchable`: a button beside it fetches all of it; `lost`: the rest is not available. */
  readonly cut?: "fetchable" | "lost" | undefined;
};

/** A unified diff in a box that scrolls. Marks tell added from removed lines; colour only helps. */
export const DiffView = ({ diff, label, path = "", cut }: DiffViewProps) => {
  const lines = useMemo(() => parseDiff(diff), [diff]);
  const language = suffixOf(path);
  const [isWhole, setWhole] = useState(false);
  const rows = useMemo(() => foldBlankLines(lines), [lines]);
  const { added, removed } = countChanges(lines);
  const shown = isWhole ? rows : rows.slice(0, FIRST_LINES);
  return (
    <div class="diff">
      {cut === undefined && (
        <p class="hint">
          {added} added, {removed} removed
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard (WCAG 2.1.1). */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is a group of controls; this one only scrolls. */}
      <pre class="mono" role="group" aria-label={label} tabIndex={0}>
        <code dir="ltr">
          {shown.map(({ kind, text, count }, index) => (
            <span key={index} class={kind}>
              {`${MARKS[kind]}${kind === "hunk" || kind === "note" ? "" : " "}`}
              {count > 1 ? (
                <Mark>{blankLinesWords(count)}</Mark>
              ) : (
                showParts(text, true, (plain) => (kind === "hunk" ? plain : colouredCode(plain, language)))
              )}
              {"\n"}
            </span>
          ))}
        </code>
      </pre>
      {shown.length < rows.length && cut !== "fetchable" && (
        <Button isSmall {...UNFOLDS} onClick={() => setWhole(true)}>
          {cut === "lost" ? "Show more" : `Show all ${countLines(lines)} lines`}
        </Button>
      )}
    </div>
  );
};

/** Untrusted text in a box that scrolls. */
export const MonoBox = ({ label, text }: { readonly label: string; readonly text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard (WCAG 2.1.1).
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is a group of controls; this one only scrolls.
  <pre class="mono" role="group" aria-label={label} tabIndex={0}>
    <ForeignText text={text} isCode />
  </pre>
);
