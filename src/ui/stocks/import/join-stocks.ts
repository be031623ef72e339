/** Rows of one stock within an import: put together as purchases, or told apart as duplicates. */
import type { DraftRow, ImportRow } from "./import-row.ts";
import { mergeLots } from "./merge-lots.ts";
import { stockKey } from "./stock-key.ts";

/** The same rows in the same order; of each stock at most one is still a draft. */
export const joinStocks = (rows: readonly ImportRow[], lots: "merge" | "separate"): readonly ImportRow[] => {
  const groups = Map.groupBy(
    rows.filter((row) => row.kind === "draft"),
    ({ draft }) => stockKey(draft),
  );
  const outcomes = new Map<ImportRow, ImportRow>();
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    for (const [row, outcome] of lots === "merge" ? merge(group) : separate(group)) outcomes.set(row, outcome);
  }
  return rows.map((row) => outcomes.get(row) ?? row);
};

type Outcomes = readonly (readonly [ImportRow, ImportRow])[];

const separate = (group: readonly DraftRow[]): Outcomes =>
  group.slice(1).map((row) => [row, { ...placeOf(row), kind: "duplicate", ofLine: group[0]?.line ?? row.line }]);

const merge = (group: readonly DraftRow[]): Outcomes => {
  const merged = mergeLots(group.map(({ draft }) => draft));
  if ("problem" in merged)
    return group.map((row) => [row, { ...placeOf(row), kind: "problem", problem: merged.problem }]);
  const [first, ...others] = group;
  if (first === undefined) return [];
  const notes = [
    ...new Set(group.flatMap((row) => row.notes)),
    `${group.length} lines are counted together.`,
    ...merged.notes,
  ];
  return [
    [first, { ...placeOf(first), kind: "draft", draft: merged.draft, notes }],
    ...others.map((row) => [row, { ...placeOf(row), kind: "merged", intoLine: first.line }] as const),
  ];
};

const placeOf = ({ line, lastLine, source }: ImportRow): Pick<ImportRow, "line" | "lastLine" | "source"> => ({
  line,
  lastLine,
  source,
});
