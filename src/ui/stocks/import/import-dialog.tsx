/** The import dialog: a text or file, what would become of it, the import itself. */
import { useEffect, useState } from "preact/hooks";
import type { OnConflict } from "../../../contract/add-stock.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { useStore } from "../../state/use-store.ts";
import { useStockStore } from "../stock-store-context.ts";
import { planBatches } from "./import-batches.ts";
import type { ImportChoices } from "./import-choices.ts";
import { clearJob, importJob, startJob, stopJob, watchJob } from "./import-job.ts";
import { JobFooter, JobStep } from "./job-step.tsx";
import { LeaveDialog } from "./leave-dialog.tsx";
import { ReviewFooter, ReviewStep } from "./review-step.tsx";
import { SourceFooter, SourceStep } from "./source-step.tsx";
import { useFileDrop } from "./use-file-drop.ts";
import { useImportSource } from "./use-import-source.ts";
import { useReview } from "./use-review.ts";

const NO_CHOICES: ImportChoices = {};

/** Shows the import under way when there is one. Asks before it throws anything away. */
export const ImportDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const store = useStockStore();
  const job = useStore(importJob);
  const [reviewed, setReviewed] = useState<string>();
  const [choices, setChoices] = useState(NO_CHOICES);
  const [onConflict, setOnConflict] = useState<OnConflict>("skip");
  const [isLeaving, setLeaving] = useState(false);
  const review = useReview(job ? "" : (reviewed ?? ""), choices, onConflict);
  const preview = (text: string): void => {
    setChoices(NO_CHOICES);
    setReviewed(text);
  };
  const source = useImportSource(preview);
  const [isOver, setOver] = useState(false);
  useFileDrop((file) => {
    if (job) return;
    setReviewed(undefined);
    source.takeFile(file);
  }, setOver);
  useEffect(watchJob, []);
  useEffect(() => clearJob, []);
  const isBusy = job !== undefined && job.phase.kind !== "done";
  useEffect(() => {
    if (!isBusy) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isBusy]);
  const hasWork = isBusy || (job === undefined && source.text.trim() !== "");
  const close = (): void => (hasWork ? setLeaving(true) : onClose());
  const begin = (): void => {
    const { rows } = review;
    // Made anew for each import that is confirmed, kept for all its tries.
    const batches = planBatches(rows, { onConflict, dryRun: false, importId: crypto.randomUUID() });
    startJob({ rows, batches, text: reviewed ?? "" }, (stocks) => store.apply({ stocks, deleted: [] }));
  };
  const startOver = (): void => {
    clearJob();
    source.write("");
    setReviewed(undefined);
  };
  const parts = () => {
    if (job) {
      return {
        body: <JobStep job={job} />,
        footer: <JobFooter job={job} onStop={() => setLeaving(true)} onMore={startOver} onClose={onClose} />,
      };
    }
    if (reviewed === undefined) {
      return {
        body: <SourceStep source={source} isOver={isOver} />,
        footer: <SourceFooter source={source} onCancel={close} onPreview={() => preview(source.text)} />,
      };
    }
    return {
      body: (
        <ReviewStep
          review={review}
          choices={choices}
          onChoose={setChoices}
          onConflict={onConflict}
          onPickConflict={setOnConflict}
        />
      ),
      footer: <ReviewFooter review={review} onBack={() => setReviewed(undefined)} onImport={begin} />,
    };
  };
  const { body, footer } = parts();
  return (
    <>
      <Dialog title="Import stocks" size="wide" isTall onClose={close} footer={footer}>
        <div class="import">{body}</div>
      </Dialog>
      {isLeaving && hasWork && (
        <LeaveDialog
          isBusy={isBusy}
          onStay={() => setLeaving(false)}
          onLeave={() => {
            setLeaving(false);
            if (isBusy) stopJob();
            else onClose();
          }}
        />
      )}
    </>
  );
};
