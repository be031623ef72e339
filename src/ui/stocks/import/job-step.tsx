/** Last step: the import under way, and what became of each line. */
import { useMemo } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { LOCALE } from "../list/locale.ts";
import { CopyLeftovers } from "./copy-leftovers.tsx";
import { type ImportJob, resumeJob } from "./import-job.ts";
import { RowList } from "./row-list.tsx";
import { judgeRows, sayCounts } from "./row-verdict.ts";
import { StepHeading } from "./step-heading.tsx";
import { VerdictCounts } from "./verdict-counts.tsx";

const HEADINGS = {
  running: "Importing",
  stopping: "Stopping",
  paused: "The import is waiting",
  done: "Import finished",
} as const;

/** Progress, then results; lines that did not get in come first and can be copied. */
export const JobStep = ({ job }: { readonly job: ImportJob }) => {
  const { rows, results, batches, next, phase, text } = job;
  const judged = useMemo(() => judgeRows(rows, results, "import"), [rows, results]);
  const left = useMemo(() => judged.filter(({ verdict }) => verdict.isLeft).map(({ row }) => row), [judged]);
  const total = batches.reduce((sum, { rowIndexes }) => sum + rowIndexes.length, 0);
  const sent = batches.slice(0, next).reduce((sum, { rowIndexes }) => sum + rowIndexes.length, 0);
  const isDone = phase.kind === "done";
  return (
    <>
      <StepHeading key={phase.kind}>{HEADINGS[phase.kind]}</StepHeading>
      {!isDone && (
        <div class="import-sending">
          <progress class="import-progress" aria-label="Stocks sent" value={sent} max={total} />
          <p class="muted">
            {sent} of {total} sent
          </p>
        </div>
      )}
      {phase.kind === "paused" && (
        <p class="import-problem" role="alert">
          {phase.problem} Nothing is added twice when you resume.
        </p>
      )}
      {isDone && left.length > 0 && <CopyLeftovers text={text} rows={rows} left={left} />}
      <VerdictCounts judged={judged} />
      <RowList judged={judged} />
      <p class="vh" role="status">
        {isDone ? `Import finished. ${sayCounts(judged, LOCALE)}` : sayQuarter(sent, total)}
      </p>
    </>
  );
};

/** Each quarter is said once: fifty numbers in a row would be noise. */
const sayQuarter = (sent: number, total: number): string => {
  const quarter = Math.floor((sent * 4) / Math.max(total, 1));
  return quarter === 0 || sent === total ? "" : `${quarter * 25} per cent sent`;
};

type JobFooterProps = {
  readonly job: ImportJob;
  readonly onStop: () => void;
  readonly onMore: () => void;
  readonly onClose: () => void;
};

/** What can be done in the phase. */
export const JobFooter = ({ job: { phase }, onStop, onMore, onClose }: JobFooterProps) => {
  if (phase.kind === "done") {
    return (
      <>
        <Button onClick={onMore}>Import more</Button>
        <Button tone="primary" onClick={onClose}>
          Done
        </Button>
      </>
    );
  }
  return (
    <>
      <Button onClick={onStop} disabled={phase.kind === "stopping"}>
        Stop
      </Button>
      {phase.kind === "paused" && (
        <Button tone="primary" onClick={resumeJob}>
          Resume
        </Button>
      )}
    </>
  );
};
