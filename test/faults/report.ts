/** What the suite says at its end: a row for each class, and the seeds that failed. */
import type { Verdict } from "./fault-class.ts";

/** All that a class came to. `notTried` says why this machine could not try it. */
export type ClassResult = {
  readonly name: string;
  readonly verdicts: readonly Verdict[];
  readonly notTried?: string;
};

/** Faults of cases that kept every promise, and all that were tried. */
const countsOf = (verdicts: readonly Verdict[]) => {
  const sum = (some: readonly Verdict[]) => some.reduce((total, { tried }) => total + tried, 0);
  return { survived: sum(verdicts.filter(({ problems }) => problems.length === 0)), tried: sum(verdicts) };
};

const rowOf = ({ name, verdicts, notTried }: ClassResult): string => {
  if (notTried !== undefined) return `${name.padEnd(12)}${"-".padStart(9)}   not tried: ${notTried}`;
  const { survived, tried } = countsOf(verdicts);
  const failed = verdicts.filter(({ problems }) => problems.length > 0).map(({ seed }) => seed);
  return `${name.padEnd(12)}${`${survived}/${tried}`.padStart(9)}   ${failed.length === 0 ? "-" : failed.join(", ")}`;
};

/** The table. */
export const formatTable = (results: readonly ClassResult[]): string =>
  [`${"class".padEnd(12)}${"survived".padStart(9)}   failed seeds`, ...results.map(rowOf)].join("\n");

/** Whether every case that was tried has survived. */
export const hasSurvived = (results: readonly ClassResult[]): boolean =>
  results.every(({ verdicts }) => verdicts.every(({ problems }) => problems.length === 0));
