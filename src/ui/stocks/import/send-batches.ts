/** Sends the batches of an import one after the other: a dry run's as well as the real ones. */
import type { ActionInput, ActionOutput } from "../../../contract/action.ts";
import { ApiError, isTransient } from "../../actions/api-error.ts";
import { errorText } from "../stock-failures.ts";
import type { ImportBatch } from "./import-batches.ts";
import { type ImportResults, takeAnswer, takeFailure } from "./import-results.ts";

/** `next` is the place of the first batch without an answer. */
export type BatchProgress = { readonly next: number; readonly results: ImportResults };

/** `failed` came to a batch that may go well later; what was answered before it stands. */
type SendEnd = { readonly kind: "done" | "stopped" } | { readonly kind: "failed"; readonly problem: string };

type SendWorld = {
  readonly send: (input: ActionInput<"add-stock">) => Promise<ActionOutput<"add-stock">>;
  /** Called after each batch, and never once `isStopped` holds, but for the batch that was under way. */
  readonly onProgress: (progress: BatchProgress) => void;
  readonly isStopped: () => boolean;
};

/** Goes on from `progress`. Never rejects. A batch that is refused for good is noted at its rows and passed over. */
export const sendBatches = async (
  batches: readonly ImportBatch[],
  progress: BatchProgress,
  { send, onProgress, isStopped }: SendWorld,
): Promise<SendEnd> => {
  let { results } = progress;
  for (const [place, batch] of batches.entries()) {
    if (place < progress.next) continue;
    if (isStopped()) return { kind: "stopped" };
    try {
      const answer = await send(batch.input);
      results = takeAnswer(results, batch, "results" in answer ? answer.results : []);
    } catch (error) {
      if (mayPass(error)) return { kind: "failed", problem: errorText(error) };
      results = takeFailure(results, batch, errorText(error));
    }
    onProgress({ next: place + 1, results });
  }
  return { kind: "done" };
};

/** A person who is signed out can sign in, in another tab, and go on. */
const mayPass = (error: unknown): boolean => isTransient(error) || (error instanceof ApiError && error.status === 401);
