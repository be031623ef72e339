/** What a live run is doing where its items do not show it; how a run ended, what it cost, and a way to retry one that failed. */
import { IconAlertTriangle, IconCheck, IconCopy, IconHandStop, IconRefresh } from "@tabler/icons-preact";
import { useContext, useState } from "preact/hooks";
import type { FailureCode } from "../../../../contract/run.ts";
import { LOCALE } from "../../../format/format-number.ts";
import { formatCost, formatDuration, formatExactCost, formatTokens } from "../../../format/format-usage.ts";
import { Button } from "../../../parts/button.tsx";
import { useProblem } from "../../../parts/task/use-problem.ts";
import { withKey } from "../../../state/unsent-keys.ts";
import { copyText } from "../../copy-text.ts";
import type { ThreadRun } from "../../stream/thread-run.ts";
import { isPlanned, type TranscriptState } from "../../stream/transcript-state.ts";
import { completedWords, endWords, failureWords, incompleteWords } from "../announce-events.ts";
import { ConversationContext, useFocusBack } from "../conversation-context.ts";
import { explainProblem } from "../explain-problem.ts";
import type { KeptThread } from "../kept-thread.ts";
import { abortRun, readWholePrompt } from "./run-requests.ts";

type RunProgressProps = { readonly run: ThreadRun; readonly thread: KeptThread; readonly ahead: number };

export const RunProgress = ({ run, thread, ahead }: RunProgressProps) => {
  const { transcript, runId } = run;
  if (transcript.status === "queued" && ahead > 0) {
    return <QueuePlace ahead={ahead} runId={runId} thread={thread} />;
  }
  const words = progressWords(transcript);
  return words === undefined ? null : (
    <p class="working">
      <span class="dots" aria-hidden="true" />
      {words}
    </p>
  );
};

const progressWords = ({ status, items }: TranscriptState): string | undefined => {
  if (status === "aborting") return "Stopping…";
  if (status === "waiting_permission") return undefined;
  const last = items.at(-1);
  if (last?.type === "message" && last.isOpen && last.text !== "") return undefined;
  if (last?.type === "tool" && last.status === "running") return undefined;
  if (last?.type === "retry" && last.isWaiting) return undefined;
  return last?.type === "message" && last.thinking !== "" ? "Thinking…" : "Working…";
};

const QueuePlace = ({ ahead, runId, thread }: { ahead: number; runId: string; thread: KeptThread }) => {
  const place = useFocusBack<HTMLDivElement>();
  const [problem, setProblem] = useProblem("The message may not have been cancelled.");
  const [isLeaving, setLeaving] = useState(false);
  const leave = async (): Promise<void> => {
    if (isLeaving) return;
    setLeaving(true);
    setProblem(undefined);
    // A queued run's stream is read only when its turn comes, which now never happens, so it is read at once.
    await abortRun(runId).then(
      () => thread.transcript.followFirst(runId),
      (error: unknown) => {
        setProblem(explainProblem(error));
        setLeaving(false);
      },
    );
  };
  return (
    <div class="queue-place" ref={place}>
      <p>{ahead === 1 ? "Queued" : `Queued, ${ahead} ahead`}</p>
      <Button isSmall tone="ghost" aria-disabled={isLeaving} onClick={() => void leave()}>
        Cancel
      </Button>
      {problem && <p role="alert">{problem}</p>}
    </div>
  );
};

type RunEndProps = { readonly transcript: TranscriptState; readonly isLast: boolean };

/** After an answer, shows only the cost. For a run that never began, shows no cost. */
export const RunEnd = ({ transcript, isLast }: RunEndProps) => (
  <div class="run-end">
    <EndBanner transcript={transcript} isLast={isLast} />
    {transcript.startedAt !== undefined && (
      <div class="run-foot">
        <Cost transcript={transcript} />
        <CopyAnswer transcript={transcript} />
      </div>
    )}
  </div>
);

const EndBanner = ({ transcript, isLast }: RunEndProps) => {
  const { status, error, stopReason, runId, items, startedAt } = transcript;
  if (status === "failed") {
    const user = items.find((item) => item.type === "user");
    return (
      <div class="inline-banner bad">
        <IconAlertTriangle size={18} stroke={1.75} aria-hidden="true" />
        <p>{failureWords(error?.message)}</p>
        {isLast && user && !isFinal(error?.code) && (
          <RetryButton runId={runId} prompt={user.isTruncated ? undefined : user.text} isPlan={isPlanned(transcript)} />
        )}
      </div>
    );
  }
  if (status === "aborted") {
    return (
      <p class="end-mark">
        <IconHandStop size={16} stroke={1.75} aria-hidden="true" />
        {startedAt === undefined ? "Cancelled before it began." : endWords(status, stopReason)}
      </p>
    );
  }
  if (status === "incomplete") return <p class="inline-banner warn">{incompleteWords(transcript)}</p>;
  const words = completedWords(transcript);
  return words === undefined ? null : <p class="inline-banner warn">{words}</p>;
};

/** Failures that the same message would meet again: the request, the key or the size is what is wrong (docs/api.md). */
const FINAL: ReadonlySet<FailureCode> = new Set(["model_invalid_request", "model_auth", "context_too_long"]);

const isFinal = (code: FailureCode | undefined): boolean => code !== undefined && FINAL.has(code);

type RetryButtonProps = { readonly runId: string; readonly prompt: string | undefined; readonly isPlan: boolean };

/** Sends the same prompt again, as a new turn in the same mode. If only the response was lost, a second press starts no second turn. */
const RetryButton = ({ runId, prompt, isPlan }: RetryButtonProps) => {
  const { threadId, send, giveFocusBack } = useContext(ConversationContext);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useProblem("The message may not have been sent again.");
  const retry = async (): Promise<void> => {
    if (isSending) return;
    setSending(true);
    setProblem(undefined);
    try {
      const whole = prompt ?? (await readWholePrompt(runId));
      await withKey(`retry ${threadId} ${runId}`, (key, isAgain) => send(whole, isPlan, key, isAgain));
      giveFocusBack();
    } catch (error) {
      setProblem(explainProblem(error));
      setSending(false);
    }
  };
  return (
    <>
      <Button isSmall icon={IconRefresh} aria-disabled={isSending} onClick={() => void retry()}>
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

/** Copies the run's last text as the model wrote it, in markdown. Shows nothing if there is none. */
const CopyAnswer = ({ transcript: { items } }: { readonly transcript: TranscriptState }) => {
  const answer = items.findLast((item) => item.type === "message" && item.text !== "");
  const [isCopied, setCopied] = useState(false);
  if (answer?.type !== "message") return null;
  return (
    <Button
      tone="ghost"
      isSmall
      icon={isCopied ? IconCheck : IconCopy}
      label={isCopied ? "Answer copied" : "Copy answer"}
      onClick={async () => setCopied(await copyText(answer.text))}
    />
  );
};

/** The duration leaves out the waits for the person, who may take as long as they like. */
const Cost = ({
  transcript: { usage, durationMs, waitedMs, costUsd, model },
}: {
  readonly transcript: TranscriptState;
}) => {
  const tokensIn = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const parts = [
    durationMs !== undefined && formatDuration(Math.max(0, durationMs - waitedMs)),
    tokensIn + usage.outputTokens > 0 && `${formatTokens(tokensIn)} tokens in, ${formatTokens(usage.outputTokens)} out`,
    costUsd !== undefined && formatCost(costUsd, LOCALE),
  ].filter((part) => part !== false);
  const exact = costUsd === undefined ? undefined : `${formatExactCost(costUsd, LOCALE)} exactly`;
  return (
    <p class="cost" title={[model, exact].filter(Boolean).join(", ")}>
      {parts.join(" · ")}
    </p>
  );
};
