/** Asks before earlier messages are summarized: that costs a model call, and later answers rest on the summary. */
import { useState } from "preact/hooks";
import type { ThreadCompaction } from "../../../contract/thread.ts";
import { ApiError } from "../../api/api-error.ts";
import { formatTokens } from "../../format/format-usage.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { useIsGone } from "../../parts/task/use-problem.ts";
import { showToast } from "../../parts/toasts.tsx";
import { explainProblem } from "../conversation/explain-problem.ts";
import { compactThread } from "./use-threads.ts";

/** Equal figures mean that there was nothing to summarize. */
export const compactedWords = ({ tokensBefore, tokensAfter }: Omit<ThreadCompaction, "ok">): string =>
  tokensBefore === tokensAfter
    ? "There is nothing to summarize in this chat yet."
    : `Earlier messages were summarized: ${formatTokens(tokensBefore)} → ${formatTokens(tokensAfter)} tokens.`;

/** How long the provider has for a summary, in ms (api.md §7). A longer one ends in a plain 503, so only the time tells them apart. */
const SUMMARY_LIMIT_MS = 120_000;

/** Says what went wrong and what to do. `tookMs`: how long the answer took. */
export const explainCompaction = (error: unknown, tookMs: number): string => {
  const status = error instanceof ApiError ? error.status : undefined;
  if (status === 503 && tookMs >= SUMMARY_LIMIT_MS)
    return "The summary took too long. Nothing is lost. Try again later.";
  return explainProblem(error);
};

type CompactDialogProps = { readonly threadId: string; readonly onClose: () => void };

/** Closing it does not stop a summary that has begun: a toast then reports the outcome. */
export const CompactDialog = ({ threadId, onClose }: CompactDialogProps) => {
  const [isWorking, setWorking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isGone = useIsGone();
  const summarize = async (): Promise<void> => {
    if (isWorking) return;
    setWorking(true);
    setProblem(undefined);
    const startedAtMs = Date.now();
    try {
      const words = compactedWords(await compactThread(threadId));
      showToast({ text: words });
      if (!isGone()) onClose();
    } catch (error) {
      const words = explainCompaction(error, Date.now() - startedAtMs);
      if (isGone()) showToast({ text: words, tone: "bad" });
      else setProblem(words);
      setWorking(false);
    }
  };
  return (
    <Dialog
      title="Summarize earlier messages?"
      size="narrow"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{isWorking ? "Close" : "Cancel"}</Button>
          <Button tone="primary" aria-disabled={isWorking} onClick={() => void summarize()}>
            {isWorking ? "Summarizing…" : "Summarize"}
          </Button>
        </>
      }
    >
      <p>
        The agent will work from a short summary instead of the whole chat, so its next answers cost less. What you see
        of the chat stays as it is. Making the summary is one call to the model and can take a minute or two.
      </p>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
};
