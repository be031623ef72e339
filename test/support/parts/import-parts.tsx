/** The steps of an import. */
import { useState } from "preact/hooks";
import { adoptStyles } from "../../../src/ui/parts/late-styles.ts";
import importStyles from "../../../src/ui/stocks/import/import.css";
import { planBatches } from "../../../src/ui/stocks/import/import-batches.ts";
import type { ImportJob } from "../../../src/ui/stocks/import/import-job.ts";
import type { ImportResults } from "../../../src/ui/stocks/import/import-results.ts";
import { JobFooter, JobStep } from "../../../src/ui/stocks/import/job-step.tsx";
import type { ImportChoices } from "../../../src/ui/stocks/import/read/import-choices.ts";
import { readImport } from "../../../src/ui/stocks/import/read/read-import.ts";
import { ReviewFooter, ReviewStep } from "../../../src/ui/stocks/import/review-step.tsx";
import type { ReviewCheck } from "../../../src/ui/stocks/import/use-review.ts";
import type { Part } from "./part.ts";

const TRADES = `Date,Symbol,Name,Type,Quantity,Price,Currency,Fee
2026-01-05,AAPL,Apple,Buy,10,100,USD,1
2026-02-05,AAPL,Apple,Buy,10,200,USD,1
2026-03-05,AAPL,Apple,Sell,5,400,USD,1
2026-03-06,IBM,IBM,Buy,3,200,USD,1
2026-03-09,IBM,IBM,Sell,3,210,USD,1
2026-03-10,9984,SoftBank Group,Buy,abc,7100,JPY,1
2026-03-11,SAP.DE,SAP,Buy,12,184.20,EUR,1
2026-03-12,TSLA,Tesla,Sell,5,300,USD,1
2026-03-13,,,Dividend,,,USD,`;

const LIST = "AAPL 10 @ 180.5 USD #tech\nMSFT\nMSFT\nVOD.L 100";

const resultsOf = (text: string): ImportResults => {
  const reading = readImport(text, "en-US");
  const rows = reading.kind === "refused" ? [] : reading.rows;
  return new Map(
    rows.flatMap(({ kind }, index) =>
      kind === "draft" ? [[index, { outcome: index % 2 ? "created" : "skipped" }]] : [],
    ),
  );
};

const Review = ({ text, check }: { readonly text: string; readonly check?: Partial<ReviewCheck> }) => {
  adoptStyles(importStyles);
  const [choices, setChoices] = useState<ImportChoices>({});
  const reading = readImport(text, "en-US", choices);
  const review = {
    ...{ reading, rows: reading.kind === "refused" ? [] : reading.rows, checkAgain: () => {} },
    check: { results: resultsOf(text), share: 1, isDone: true, problem: undefined, ...check },
  };
  return (
    <div class="import">
      <ReviewStep review={review} choices={choices} onChoose={setChoices} onConflict="skip" onPickConflict={() => {}} />
      <ReviewFooter review={review} onBack={() => {}} onImport={() => {}} />
    </div>
  );
};

const Job = ({ phase }: Pick<ImportJob, "phase">) => {
  adoptStyles(importStyles);
  const reading = readImport(TRADES, "en-US");
  const rows = reading.kind === "refused" ? [] : reading.rows;
  const batches = planBatches(rows, { onConflict: "skip", dryRun: false, importId: "parts" });
  const isDone = phase.kind === "done";
  const job: ImportJob = {
    rows,
    batches,
    text: TRADES,
    next: isDone ? 1 : 0,
    results: isDone ? resultsOf(TRADES) : new Map(),
    phase,
  };
  return (
    <div class="import">
      <JobStep job={job} onClose={() => {}} />
      <JobFooter job={job} onStop={() => {}} onResume={() => {}} onMore={() => {}} onClose={() => {}} />
    </div>
  );
};

export const IMPORT_PARTS: readonly Part[] = [
  { name: "Import, preview of trades", isAlone: true, states: { usual: () => <Review text={TRADES} /> } },
  { name: "Import, preview of a list", isAlone: true, states: { usual: () => <Review text={LIST} /> } },
  {
    name: "Import, checking",
    isAlone: true,
    states: { usual: () => <Review text={LIST} check={{ isDone: false, share: 0.4, results: new Map() }} /> },
  },
  {
    name: "Import, not to be checked",
    isAlone: true,
    states: { usual: () => <Review text={LIST} check={{ isDone: false, problem: "The server cannot be reached." }} /> },
  },
  { name: "Import, refused", isAlone: true, states: { usual: () => <Review text="[]x" /> } },
  { name: "Import, under way", isAlone: true, states: { usual: () => <Job phase={{ kind: "running" }} /> } },
  {
    name: "Import, paused",
    isAlone: true,
    states: { usual: () => <Job phase={{ kind: "paused", problem: "The server cannot be reached." }} /> },
  },
  { name: "Import, finished", isAlone: true, states: { usual: () => <Job phase={{ kind: "done" }} /> } },
];
