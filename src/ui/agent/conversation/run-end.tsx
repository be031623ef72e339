/** How a run ended, what it cost, and a way on where it failed. */
import { IconAlertTriangle, IconHandStop, IconRefresh } from "@tabler/icons-preact";
import { Fragment } from "preact";
import { useContext, useState } from "preact/hooks";
import { formatCost, formatExactCost } from "../../format/format-cost.ts";
import { Button } from "../../parts/button.tsx";
import type { TranscriptState } from "../transcript-state.ts";
import { ConversationContext } from "./conversation-context.ts";
import { endWords } from "./end-words.ts";
import { explainProblem } from "./explain-problem.ts";
import { formatDuration } from "./format-duration.ts";
import { formatTokens } from "./format-tokens.ts";
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
          {endWords(status, stopReason)} {error?.message}
        </p>
        {isLast && user && <RetryButton runId={runId} prompt={user.isTruncated ? undefined : user.text} />}
      </div>
    );
  }
  if (status === "aborted") {
    return (
      <p class="end-mark">
        <IconHandStop size={16} stroke={1.75} aria-hidden="true" />
        {endWords(status, stopReason)}
      </p>
    );
  }
  if (status === "incomplete")
    return <p class="notice warn">{endWords(status, stopReason)} Send “Go on” to continue.</p>;
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

const Cost = ({ transcript: { usage, durationMs, costUsd, model } }: { readonly transcript: TranscriptState }) => {
  const tokensIn = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const parts = [
    durationMs !== undefined && formatDuration(durationMs),
    tokensIn + usage.outputTokens > 0 && (
      <>
        {formatTokens(tokensIn)} in, {formatTokens(usage.outputTokens)} out<span class="vh"> tokens</span>
      </>
    ),
    costUsd !== undefined && formatCost(costUsd, navigator.language),
  ].filter((part) => part !== false);
  const exact = costUsd === undefined ? undefined : `${formatExactCost(costUsd, navigator.language)} exactly`;
  return (
    <p class="cost" title={[model, exact].filter(Boolean).join(", ")}>
      {parts.map((part, index) => (
        <Fragment key={index}>
          {index > 0 && " · "}
          {part}
        </Fragment>
      ))}
    </p>
  );
};
