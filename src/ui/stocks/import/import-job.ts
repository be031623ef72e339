/**
 * The import under way. It outlives its dialog: Back closes the dialog, and what is half sent must be finished or be known
 * to be unfinished. One at a time; gone with the page.
 */
import type { Stock } from "../../../contract/stock.ts";
import { runAction } from "../../actions/call-action.ts";
import { formatCount } from "../../format/format-count.ts";
import { showToast } from "../../parts/toasts.tsx";
import { createStore } from "../../state/store.ts";
import type { ImportBatch } from "./import-batches.ts";
import { countOutcomes, type ImportResults, takeFailure } from "./import-results.ts";
import type { ImportRow } from "./import-row.ts";
import { type BatchProgress, sendBatches } from "./send-batches.ts";

/** `stopping` waits for the answer of the batch that is on its way. */
type JobPhase =
  | { readonly kind: "running" | "stopping" | "done" }
  | { readonly kind: "paused"; readonly problem: string };

/** What to send, and the text it was read from. */
export type ImportPlan = {
  readonly rows: readonly ImportRow[];
  readonly batches: readonly ImportBatch[];
  readonly text: string;
};

export type ImportJob = ImportPlan & BatchProgress & { readonly phase: JobPhase };

/** Undefined when there is none. */
export const importJob = createStore<ImportJob | undefined>(undefined);

type TakeIn = (stocks: readonly Stock[]) => void;

/** Takes answers into the list; outlives the dialog like the list itself. */
let takeIn: TakeIn = () => {};
let watchers = 0;

/** Starts sending, unless an import is under way. `take` gets the stocks of each answer. */
export const startJob = (plan: ImportPlan, take: TakeIn): void => {
  if ((importJob.get()?.phase.kind ?? "done") !== "done") return;
  takeIn = take;
  importJob.set({ ...plan, next: 0, results: new Map(), phase: { kind: "running" } });
  void run();
};

/** Goes on with the batch that had no answer, under the key it had: what was written is not written again. */
export const resumeJob = (): void => {
  if (importJob.get()?.phase.kind !== "paused") return;
  change({ phase: { kind: "running" } });
  void run();
};

/** Ends the import; what was not sent is said so at its rows. */
export const stopJob = (): void => {
  const job = importJob.get();
  if (job?.phase.kind === "running") change({ phase: { kind: "stopping" } });
  if (job?.phase.kind === "paused") change({ results: unsentFrom(job, UNANSWERED), phase: { kind: "done" } });
};

/** Forgets an import that is done. */
export const clearJob = (): void => {
  if (importJob.get()?.phase.kind === "done") importJob.set(undefined);
};

/** Says that a dialog shows the import, until the result is called. Otherwise its end is told by a note. */
export const watchJob = (): (() => void) => {
  watchers += 1;
  return () => {
    watchers -= 1;
  };
};

const UNANSWERED = "No answer came, so it may be in your list. Look, or import it again with “Skip”.";
const STOPPED = "Not sent: the import was stopped.";

const run = async (): Promise<void> => {
  const job = importJob.get();
  if (job === undefined) return;
  const end = await sendBatches(job.batches, job, {
    send: (input) => runAction("add-stock", input, { via: "import" }),
    isStopped: () => importJob.get()?.phase.kind !== "running",
    onProgress: (progress) => {
      const batch = job.batches[progress.next - 1];
      change(progress);
      takeIn((batch?.rowIndexes ?? []).flatMap((rowIndex) => progress.results.get(rowIndex)?.stock ?? []));
    },
  });
  const now = importJob.get();
  if (now === undefined) return;
  if (end.kind === "done") change({ phase: { kind: "done" } });
  else if (end.kind === "failed" && now.phase.kind === "running") {
    change({ phase: { kind: "paused", problem: end.problem } });
  } else {
    const error = end.kind === "failed" ? UNANSWERED : STOPPED;
    change({ results: unsentFrom(now, error), phase: { kind: "done" } });
  }
  if (watchers === 0) tellEnd();
};

const change = (part: Partial<ImportJob>): void => {
  const job = importJob.get();
  if (job !== undefined) importJob.set({ ...job, ...part });
};

/** Of the first batch without an answer nothing is known but `error`; those behind it were never sent. */
const unsentFrom = ({ batches, next, results }: ImportJob, error: string): ImportResults =>
  batches
    .slice(next)
    .reduce((taken, batch, place) => takeFailure(taken, batch, place === 0 ? error : STOPPED), results);

const tellEnd = (): void => {
  const job = importJob.get();
  if (job === undefined) return;
  if (job.phase.kind === "paused") {
    showToast({ text: "The import is waiting for the connection. Open Import to go on.", tone: "bad" });
    return;
  }
  const { created, restored, updated } = countOutcomes(job.results);
  showToast({
    text: `Import finished: ${formatCount(created + restored + updated, "stock", "stocks", "en")} in your list.`,
  });
};
