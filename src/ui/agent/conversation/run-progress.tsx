/** What a live run does just now, where its items do not say so. */
import { useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import type { ThreadRun } from "../thread-run.ts";
import type { TranscriptState } from "../transcript-state.ts";
import { explainProblem } from "./explain-problem.ts";
import type { KeptThread } from "./kept-thread.ts";
import { abortRun } from "./run-requests.ts";
import { useFocusBack } from "./use-focus-back.ts";

type RunProgressProps = { readonly run: ThreadRun; readonly thread: KeptThread; readonly ahead: number };

/** One line below the newest item. */
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
  const [problem, setProblem] = useState<string>();
  const [isLeaving, setLeaving] = useState(false);
  const leave = async (): Promise<void> => {
    if (isLeaving) return;
    setLeaving(true);
    setProblem(undefined);
    // Its stream is not read before its turn comes, and now it never will.
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
      <p>Waiting: {ahead} ahead</p>
      <Button isSmall tone="ghost" aria-disabled={isLeaving} onClick={() => void leave()}>
        Take it back
      </Button>
      {problem && <p role="alert">{problem}</p>}
    </div>
  );
};
