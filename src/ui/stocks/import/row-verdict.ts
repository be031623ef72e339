/** What a row's outcome is called, and which rows need a look first. */
import { formatCount } from "../../format/format-count.ts";
import type { ImportResults, RowResult } from "./import-results.ts";
import type { ImportRow } from "./import-row.ts";

/** `check` is the preview: nothing is written yet. */
export type VerdictTime = "check" | "import";

export type Verdict = {
  readonly label: string;
  /** Why, or what to know about it; empty when there is nothing to say. */
  readonly detail: string;
  readonly tone: "hit" | "warn" | "bad" | "outline";
  /** Rows that need a look have the lowest. */
  readonly rank: number;
  /** Whether the row named a stock that is not, or will not be, in the list as the file says. */
  readonly isLeft: boolean;
};

export type JudgedRow = { readonly row: ImportRow; readonly index: number; readonly verdict: Verdict };

/** All rows with their verdicts: problems first, then in the file's order. */
export const judgeRows = (
  rows: readonly ImportRow[],
  results: ImportResults,
  time: VerdictTime,
): readonly JudgedRow[] =>
  rows
    .map((row, index) => ({ row, index, verdict: judge(row, results.get(index), time) }))
    .sort((a, b) => a.verdict.rank - b.verdict.rank || a.index - b.index);

/** Labels that are nouns. */
const PLURALS: Readonly<Record<string, string>> = { Problem: "problems", Duplicate: "duplicates" };

/** How many rows have each label, in the order of the verdicts. `words` read well behind the number. */
export const countLabels = (
  judged: readonly JudgedRow[],
): readonly { words: string; tone: Verdict["tone"]; count: number }[] =>
  [...Map.groupBy(judged, ({ verdict }) => verdict.label)].map(([label, group]) => ({
    words: (group.length === 1 ? undefined : PLURALS[label]) ?? label.toLowerCase(),
    tone: group[0]?.verdict.tone ?? "outline",
    count: group.length,
  }));

/** The counts as a sentence for those who hear the page. */
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
      return { ...LEFT, rank: 2, label: "Duplicate", detail: `The same stock as on line ${row.ofLine}, which counts.` };
    case "merged":
      return { ...FINE, rank: 7, label: "Counted in", detail: `Added to the purchase on line ${row.intoLine}.` };
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
      return { ...BAD, label: "Problem", detail };
    case "unsent":
      return { ...BAD, label: isCheck ? "Not checked" : "Not sent", detail };
  }
};
