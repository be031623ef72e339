/**
 * The running import. It outlives its dialog, because Back can close the dialog while an import is half sent. There is
 * one at a time, and it is lost when the page is closed.
 */
import type { Stock } from "../../../contract/stocks/stock.ts";
import { keptPerson } from "../../account/person.ts";
import { runAction } from "../../api/run-action.ts";
import { formatCount } from "../../format/format-number.ts";
import { showToast } from "../../parts/toasts.tsx";
import { createStore } from "../../state/store.ts";
import { type BatchProgress, sendBatches } from "./import-batches.ts";
import type { ImportBatch } from "./import-results.ts";
import { countOutcomes, type ImportResults, takeFailure } from "./import-results.ts";
import type { ImportRow } from "./read/import-row.ts";

/** `stopping` waits for the answer to the batch in flight. */
type JobPhase =
  | { readonly kind: "running" | "stopping" | "done" }
  | { readonly kind: "paused"; readonly problem: string };

/** What to send, and the text that it was read from. */
export type ImportPlan = {
  readonly rows: readonly ImportRow[];
  readonly batches: readonly ImportBatch[];
  readonly text: string;
};

/** `unsure` is the index of the last batch that may have been added without an answer: that it is refused later does not change this. */
export type ImportJob = ImportPlan & BatchProgress & { readonly phase: JobPhase; readonly unsure?: number };

/** Undefined when there is none. */
export const importJob = createStore<ImportJob | undefined>(undefined);

/** Makes the browser ask before the page is left, except for a person who has signed out. */
const warn = (event: BeforeUnloadEvent): void => {
  if (keptPerson() !== undefined) event.preventDefault();
};

// Until the import is done, the browser asks before the page is left, whether the dialog is open or not.
importJob.subscribe(() => {
  if ((importJob.get()?.phase.kind ?? "done") === "done") removeEventListener("beforeunload", warn);
  else addEventListener("beforeunload", warn);
});

type TakeIn = (stocks: readonly Stock[]) => void;

/** Adds the stocks of an answer to the list. Outlives the dialog, like the list itself. */
let takeIn: TakeIn = () => {};
let watchers = 0;

/** Starts sending, unless an import is already running. `take` gets the stocks of each answer. */
export const startJob = (plan: ImportPlan, take: TakeIn): void => {
  if ((importJob.get()?.phase.kind ?? "done") !== "done") return;
  takeIn = take;
  importJob.set({ ...plan, next: 0, results: new Map(), phase: { kind: "running" } });
  void run();
};

/**
 * Continues with the batch that had no answer, under the same key, so that nothing is written twice. `take` replaces the former one:
 * after a sign-in there is another list.
 */
export const resumeJob = (take: TakeIn): void => {
  if (importJob.get()?.phase.kind !== "paused") return;
  takeIn = take;
  change({ phase: { kind: "running" } });
  void run();
};

/** Ends the import, and marks the rows that were not sent. */
export const stopJob = (): void => {
  const job = importJob.get();
  if (job?.phase.kind === "running") change({ phase: { kind: "stopping" } });
  if (job?.phase.kind === "paused") endUnsent();
};

/** Forgets an import that has finished. */
export const clearJob = (): void => {
  if (importJob.get()?.phase.kind === "done") importJob.set(undefined);
};

/** For a dialog that shows the import. Call the result when it closes. Without a dialog, a toast reports the end. */
export const watchJob = (): (() => void) => {
  watchers += 1;
  return () => {
    watchers -= 1;
  };
};

const UNANSWERED = "No answer arrived, so it may already be in your list. Check, or import it again with “Skip them”.";
const STOPPED = "Not added: the import was stopped.";

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
  if (end.kind === "failed" && end.isUnsure) change({ unsure: now.next });
  if (end.kind === "done") change({ phase: { kind: "done" } });
  else if (end.kind === "failed" && now.phase.kind === "running") {
    change({ phase: { kind: "paused", problem: end.problem } });
  } else endUnsent();
  if (watchers === 0) announceEnd();
};

const change = (part: Partial<ImportJob>): void => {
  const job = importJob.get();
  if (job !== undefined) importJob.set({ ...job, ...part });
};

const endUnsent = (): void => {
  const job = importJob.get();
  if (job !== undefined) change({ results: unsentFrom(job), phase: { kind: "done" } });
};

/** Marks the batches from `next` on as not added, the first one as unanswered if it is `unsure`. */
const unsentFrom = ({ batches, next, results, unsure }: ImportJob): ImportResults =>
  batches
    .slice(next)
    .reduce((taken, batch, at) => takeFailure(taken, batch, next + at === unsure ? UNANSWERED : STOPPED), results);

const announceEnd = (): void => {
  const job = importJob.get();
  if (job === undefined) return;
  if (job.phase.kind === "paused") {
    showToast({ text: `The import is paused. ${job.phase.problem} Open Import to continue.`, tone: "bad" });
    return;
  }
  const { created, restored, updated } = countOutcomes(job.results);
  showToast({
    text: `Import finished: ${formatCount(created + restored + updated, "stock", "stocks", "en")} added or updated.`,
  });
};
