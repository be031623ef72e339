/** The import dialog, in three steps: choose a text or file, preview it, import it. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { OnConflict } from "../../../contract/stocks/add-stock.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { adoptStyles } from "../../parts/late-styles.ts";
import { useStore } from "../../state/store.ts";
import { useStockStore } from "../store/stock-store.ts";
import importStyles from "./import.css";
import { planBatches } from "./import-batches.ts";
import { clearJob, importJob, resumeJob, startJob, stopJob, watchJob } from "./import-job.ts";
import { JobFooter, JobStep } from "./job-step.tsx";
import type { ImportChoices } from "./read/import-choices.ts";
import { ReviewFooter, ReviewStep } from "./review-step.tsx";
import { TextFooter, TextStep } from "./text-step.tsx";
import { useFileDrop, useImportText } from "./use-import-text.ts";
import { useReview } from "./use-review.ts";

type LeaveDialogProps = {
  /** Whether stocks are being sent. */
  readonly isBusy: boolean;
  readonly onStay: () => void;
  readonly onLeave: () => void;
};

/** Escape keeps the import. */
const LeaveDialog = ({ isBusy, onStay, onLeave }: LeaveDialogProps) => {
  const buttons = useRef<HTMLDivElement>(null);
  // Enter presses the safe choice.
  useLayoutEffect(() => buttons.current?.querySelector("button")?.focus(), []);
  return (
    <Dialog title={isBusy ? "Stop the import?" : "Discard this import?"} size="narrow" onClose={onStay}>
      <p>
        {isBusy
          ? "Stocks that were already added stay in your list. The rest will be shown, so that you can copy them."
          : "Nothing has been added to your list yet."}
      </p>
      <div class="dialog-actions" ref={buttons}>
        <Button onClick={onStay}>{isBusy ? "Continue" : "Keep it"}</Button>
        <Button tone="danger" onClick={onLeave}>
          {isBusy ? "Stop the import" : "Discard"}
        </Button>
      </div>
    </Dialog>
  );
};

const NO_CHOICES: ImportChoices = {};

/** What all steps work on. `reviewed` is the text of the second step, undefined in the first; `job` is set in the third. */
const useImport = () => {
  const store = useStockStore();
  const job = useStore(importJob);
  const [reviewed, setReviewed] = useState<string>();
  const [choices, setChoices] = useState(NO_CHOICES);
  const [onConflict, setOnConflict] = useState<OnConflict>("skip");
  const review = useReview(job ? "" : (reviewed ?? ""), choices, onConflict);
  const preview = (text: string): void => {
    setChoices(NO_CHOICES);
    setReviewed(text);
  };
  const input = useImportText(preview);
  const [isOver, setOver] = useState(false);
  useFileDrop((file) => {
    if (job) return;
    setReviewed(undefined);
    input.takeFile(file);
  }, setOver);
  useEffect(watchJob, []);
  useEffect(() => clearJob, []);
  const take = (stocks: readonly Stock[]): void => store.apply({ stocks, deleted: [] });
  const begin = (): void => {
    const { rows } = review;
    // A new id for each confirmed import, kept for its retries.
    const batches = planBatches(rows, { onConflict, dryRun: false, importId: crypto.randomUUID() });
    startJob({ rows, batches, text: reviewed ?? "" }, take);
    input.write("");
  };
  const startOver = (): void => {
    clearJob();
    input.write("");
    setReviewed(undefined);
  };
  const resume = (): void => resumeJob(take);
  const goBack = (): void => setReviewed(undefined);
  const picked = { choices, setChoices, onConflict, setOnConflict };
  return { job, reviewed, review, input, isOver, ...picked, preview, begin, resume, startOver, goBack };
};

/** Shows the running import if there is one. Asks before it discards anything. */
export const ImportDialog = ({ onClose }: { readonly onClose: () => void }) => {
  adoptStyles(importStyles);
  const { job, reviewed, review, input, ...steps } = useImport();
  const [isLeaving, setLeaving] = useState(false);
  const isBusy = job !== undefined && job.phase.kind !== "done";
  const hasWork = isBusy || (job === undefined && input.text.trim() !== "");
  // The question closes when the import ends.
  if (isLeaving && !hasWork) setLeaving(false);
  const close = (): void => (hasWork ? setLeaving(true) : onClose());
  const parts = () => {
    if (job) {
      return {
        body: <JobStep job={job} onClose={onClose} />,
        footer: (
          <JobFooter
            job={job}
            onStop={() => setLeaving(true)}
            onResume={steps.resume}
            onMore={steps.startOver}
            onClose={onClose}
          />
        ),
      };
    }
    if (reviewed === undefined) {
      return {
        body: <TextStep input={input} isOver={steps.isOver} />,
        footer: <TextFooter input={input} onCancel={close} onPreview={() => steps.preview(input.text)} />,
      };
    }
    return {
      body: (
        <ReviewStep
          review={review}
          choices={steps.choices}
          onChoose={steps.setChoices}
          onConflict={steps.onConflict}
          onPickConflict={steps.setOnConflict}
        />
      ),
      footer: <ReviewFooter review={review} onBack={steps.goBack} onImport={steps.begin} />,
    };
  };
  const { body, footer } = parts();
  return (
    <>
      <Dialog title="Import stocks" size="wide" isTall onClose={close} footer={footer}>
        <div class="import">{body}</div>
      </Dialog>
      {isLeaving && (
        <LeaveDialog
          isBusy={isBusy}
          onStay={() => setLeaving(false)}
          onLeave={() => {
            setLeaving(false);
            if (isBusy) return stopJob();
            input.write("");
            onClose();
          }}
        />
      )}
    </>
  );
};
