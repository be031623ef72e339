/** The labels of outcomes, and the order of rows: those that need attention come first. */
import { formatCount } from "../../format/format-number.ts";
import { sentence } from "../form/read-form.ts";
import type { ImportResults, RowResult } from "./import-results.ts";
import type { ImportRow } from "./read/import-row.ts";

/** `check` is the preview, before anything is written. */
export type VerdictTime = "check" | "import";

export type Verdict = {
  readonly label: string;
  /** The reason or a note. Can be empty. */
  readonly detail: string;
  readonly tone: "hit" | "warn" | "bad" | "outline";
  /** Rows that need attention have the lowest ranks. */
  readonly rank: number;
  /** Whether the row names a stock that is not, or will not be, in the list as the file has it. */
  readonly isLeft: boolean;
};

export type JudgedRow = { readonly row: ImportRow; readonly index: number; readonly verdict: Verdict };

/** All rows with their verdicts, sorted by rank, then in the file's order. */
export const judgeRows = (
  rows: readonly ImportRow[],
  results: ImportResults,
  time: VerdictTime,
): readonly JudgedRow[] =>
  rows
    .map((row, index) => ({ row, index, verdict: judge(row, results.get(index), time) }))
    .sort((a, b) => a.verdict.rank - b.verdict.rank || a.index - b.index);

/**
 * The rows to import again, in the file's order: those that need attention and, with each draft among them, those that are combined with
 * it. Without these, the next import would have only a part of the purchases, or lack a sale.
 */
export const leftRows = (judged: readonly JudgedRow[]): readonly ImportRow[] => {
  const linesOf = (isLeft: boolean): ReadonlySet<number> =>
    new Set(
      judged.flatMap(({ row, verdict }) => (row.kind === "draft" && verdict.isLeft === isLeft ? [row.line] : [])),
    );
  // In a list several stocks can share a line.
  const fine = linesOf(false);
  const lines = new Set([...linesOf(true)].filter((line) => !fine.has(line)));
  // A line can be combined with one that is itself combined, with the stock under its other name.
  for (let size = -1; size < lines.size; ) {
    size = lines.size;
    for (const { row } of judged) if (row.kind === "merged" && lines.has(row.intoLine)) lines.add(row.line);
  }
  return judged
    .filter(({ row, verdict }) => verdict.isLeft || (row.kind === "merged" && lines.has(row.line)))
    .toSorted((a, b) => a.index - b.index)
    .map(({ row }) => row);
};

/** Labels that are nouns have a plural. */
const PLURALS: Readonly<Record<string, string>> = { Problem: "problems", Duplicate: "duplicates" };

/** The number of rows with each label, in the order of the rows. `words` is the text to put after the number. */
export const countLabels = (
  judged: readonly JudgedRow[],
): readonly { words: string; tone: Verdict["tone"]; count: number }[] =>
  [...Map.groupBy(judged, ({ verdict }) => verdict.label)].map(([label, group]) => ({
    words: (group.length === 1 ? undefined : PLURALS[label]) ?? label.toLowerCase(),
    tone: group[0]?.verdict.tone ?? "outline",
    count: group.length,
  }));

/** The counts as a sentence, for screen readers. */
export const sayCounts = (judged: readonly JudgedRow[], locale: string): string => {
  const counts = countLabels(judged).map(({ words, count }) => `${count} ${words}`);
  return `${formatCount(judged.length, "line", "lines", locale)}: ${counts.join(", ")}.`;
};

const BAD = { tone: "bad", rank: 0, isLeft: true } as const;
const LEFT = { tone: "warn", rank: 1, isLeft: true } as const;
const FINE = { tone: "outline", isLeft: false } as const;

const judge = (row: ImportRow, result: RowResult | undefined, time: VerdictTime): Verdict => {
  switch (row.kind) {
    case "problem":
      return { ...BAD, label: "Problem", detail: row.problem };
    case "duplicate":
      return { ...LEFT, rank: 2, label: "Duplicate", detail: `Duplicate of line ${row.ofLine}; skipped.` };
    case "merged":
      return { ...FINE, rank: 7, label: "Combined", detail: `Combined with line ${row.intoLine}.` };
    case "skipped":
      return { ...FINE, rank: 8, label: "Left out", detail: row.reason };
    case "draft": {
      const verdict = judgeDraft(result, time);
      return { ...verdict, detail: [verdict.detail, ...row.notes].filter(Boolean).join(" ") };
    }
  }
};

const judgeDraft = (result: RowResult | undefined, time: VerdictTime): Verdict => {
  const detail = result?.error ?? "";
  const isCheck = time === "check";
  switch (result?.outcome) {
    case undefined:
      return { ...FINE, rank: 6, label: isCheck ? "Checking" : "Waiting", detail };
    case "created":
      return { ...FINE, tone: "hit", rank: 4, label: isCheck ? "New" : "Added", detail };
    case "restored":
      return { ...FINE, tone: "hit", rank: 3, label: isCheck ? "Back from the trash" : "Restored", detail };
    case "updated":
      return { ...FINE, tone: "hit", rank: 3, label: isCheck ? "Will be updated" : "Updated", detail };
    case "skipped":
      return {
        ...FINE,
        rank: 5,
        label: isCheck ? "Will be skipped" : "Skipped",
        detail: "It is already in your list.",
      };
    case "conflict":
      return { ...LEFT, label: "Not added", detail };
    case "invalid":
      return { ...BAD, label: "Problem", detail: sentence(detail) };
    case "unsent":
      return { ...BAD, label: isCheck ? "Not checked" : "Not sent", detail };
  }
};
