/** The last step: progress, then the outcome of each line. */
import { IconCopy } from "@tabler/icons-preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { formatCount, LOCALE } from "../../format/format-number.ts";
import { Button } from "../../parts/button.tsx";
import { useStockActions } from "../store/use-stock-actions.ts";
import type { ImportJob } from "./import-job.ts";
import { countOutcomes } from "./import-results.ts";
import { leftoverText } from "./leftover-text.ts";
import type { ImportRow } from "./read/import-row.ts";
import { RowList } from "./row-list.tsx";
import { judgeRows, leftRows, sayCounts } from "./row-verdict.ts";
import { StepHeading, VerdictCounts } from "./step-heading.tsx";

type CopyLeftoversProps = {
  readonly text: string;
  readonly rows: readonly ImportRow[];
  readonly left: readonly ImportRow[];
};

/** Copies to the clipboard. If the browser does not allow that, shows the text so that it can be copied by hand. */
const CopyLeftovers = ({ text, rows, left }: CopyLeftoversProps) => {
  const [state, setState] = useState<"start" | "copied" | "shown">("start");
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (state === "shown") box.current?.select();
  }, [state]);
  const copy = (): void =>
    void navigator.clipboard.writeText(leftoverText(text, rows, left)).then(
      () => setState("copied"),
      () => setState("shown"),
    );
  const count = formatCount(left.length, "line", "lines", LOCALE);
  return (
    <div class="import-left">
      <p>
        {count} {left.length === 1 ? "is" : "are"} left over. Copy {left.length === 1 ? "it, fix it" : "them, fix them"}{" "}
        and import again.
      </p>
      <Button icon={IconCopy} isSmall onClick={copy}>
        Copy {count}
      </Button>
      <span role="status">{state === "copied" && "Copied."}</span>
      {state === "shown" && (
        <textarea
          ref={box}
          class="input"
          rows={5}
          readOnly
          aria-label="Lines that are left over"
          value={leftoverText(text, rows, left)}
        />
      )}
    </div>
  );
};

const HEADINGS = {
  running: "Importing",
  stopping: "Stopping",
  paused: "Import paused",
  done: "Import finished",
} as const;

type JobStepProps = { readonly job: ImportJob; readonly onClose: () => void };

/** Lines that were not imported come first, and can be copied. */
export const JobStep = ({ job, onClose }: JobStepProps) => {
  const { rows, results, batches, next, phase, text } = job;
  const judged = useMemo(() => judgeRows(rows, results, "import"), [rows, results]);
  const left = useMemo(() => leftRows(judged), [judged]);
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
      <div class="import-result">
        <VerdictCounts judged={judged} />
        {isDone && <UndoImport job={job} onDone={onClose} />}
      </div>
      <RowList judged={judged} />
      <p class="vh" role="status">
        {isDone ? `Import finished. ${sayCounts(judged, LOCALE)}` : sayQuarter(sent, total)}
      </p>
    </>
  );
};

/** Announces each quarter only: fifty numbers in a row would be noise. */
const sayQuarter = (sent: number, total: number): string => {
  const quarter = Math.floor((sent * 4) / Math.max(total, 1));
  return quarter === 0 || sent === total ? "" : `${quarter * 25} percent sent`;
};

/** The stocks that the import put into the list: those it changed are not among them. */
const addedStocks = ({ results }: ImportJob): readonly Stock[] =>
  [...results.values()].flatMap(({ outcome, stock }) =>
    stock !== undefined && (outcome === "created" || outcome === "restored") ? [stock] : [],
  );

/** Takes back what was added; the toast that follows can undo that. */
const UndoImport = ({ job, onDone }: { readonly job: ImportJob; readonly onDone: () => void }) => {
  const { remove } = useStockActions();
  const added = addedStocks(job);
  const { updated } = countOutcomes(job.results);
  if (added.length === 0) return null;
  return (
    <Button
      isSmall
      aria-label="Undo import"
      title={updated === 0 ? undefined : `${formatCount(updated, "stock", "stocks", LOCALE)} it changed stay changed.`}
      onClick={() => {
        remove(added);
        onDone();
      }}
    >
      Undo
    </Button>
  );
};

type JobFooterProps = {
  readonly job: ImportJob;
  readonly onStop: () => void;
  readonly onResume: () => void;
  readonly onMore: () => void;
  readonly onClose: () => void;
};

/** The buttons of each phase. Nothing appears where Stop was: a late press there would drop the outcome. */
export const JobFooter = ({ job, onStop, onResume, onMore, onClose }: JobFooterProps) => {
  const { phase } = job;
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
      <Button class="start" onClick={onStop} disabled={phase.kind === "stopping"}>
        Stop
      </Button>
      {phase.kind === "paused" && (
        <Button tone="primary" onClick={onResume}>
          Resume
        </Button>
      )}
    </>
  );
};
