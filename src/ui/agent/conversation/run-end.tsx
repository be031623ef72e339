/** How a run ended, what it cost, and a way on where it failed. */
import { IconAlertTriangle, IconHandStop, IconRefresh } from "@tabler/icons-preact";
import { useContext, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import type { TranscriptState } from "../transcript-state.ts";
import { ConversationContext } from "./conversation-context.ts";
import { END_WORDS } from "./end-words.ts";
import { explainProblem } from "./explain-problem.ts";
import { formatDuration } from "./format-duration.ts";
import { readWholePrompt } from "./run-requests.ts";

type RunEndProps = { readonly transcript: TranscriptState; readonly isLast: boolean };

/** Quiet after a good end. */
export const RunEnd = ({ transcript, isLast }: RunEndProps) => (
  <div class="run-end">
    <EndNotice transcript={transcript} isLast={isLast} />
    <Cost transcript={transcript} />
  </div>
);

const EndNotice = ({ transcript: { status, error, stopReason, runId, items }, isLast }: RunEndProps) => {
  if (status === "failed") {
    const user = items.find((item) => item.type === "user");
    return (
      <div class="notice bad">
        <IconAlertTriangle size={18} stroke={1.75} aria-hidden="true" />
        <p>
          {END_WORDS.failed} {error?.message}
        </p>
        {isLast && user && <RetryButton runId={runId} prompt={user.isTruncated ? undefined : user.text} />}
      </div>
    );
  }
  if (status === "aborted") {
    return (
      <p class="end-mark">
        <IconHandStop size={16} stroke={1.75} aria-hidden="true" />
        {END_WORDS.aborted}
      </p>
    );
  }
  if (status === "incomplete") return <p class="notice warn">{END_WORDS.incomplete} Send “Go on” to continue.</p>;
  return stopReason === "refusal" ? <p class="notice warn">The model declined to answer this.</p> : null;
};

/** Sends the same prompt once more, as a new turn. */
const RetryButton = ({ runId, prompt }: { readonly runId: string; readonly prompt: string | undefined }) => {
  const { send, giveFocusBack } = useContext(ConversationContext);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const retry = async (): Promise<void> => {
    setSending(true);
    setProblem(undefined);
    try {
      await send(prompt ?? (await readWholePrompt(runId)));
      giveFocusBack();
    } catch (error) {
      setProblem(explainProblem(error));
      setSending(false);
    }
  };
  return (
    <>
      <Button isSmall icon={IconRefresh} disabled={isSending} onClick={() => void retry()}>
        Try again
      </Button>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
};

const Cost = ({ transcript: { usage, durationMs, model } }: { readonly transcript: TranscriptState }) => {
  const tokensIn = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const parts = [
    durationMs === undefined ? "" : formatDuration(durationMs),
    tokensIn + usage.outputTokens > 0 ? `${NUMBER.format(tokensIn)} in, ${NUMBER.format(usage.outputTokens)} out` : "",
  ].filter((part) => part !== "");
  return (
    <p class="cost" title={model}>
      {parts.join(" · ")}
      {tokensIn > 0 && <span class="vh"> tokens</span>}
    </p>
  );
};

const NUMBER = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
