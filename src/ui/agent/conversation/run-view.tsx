/** One turn: the prompt, what the agent did, and how it ended. */
import { useMemo } from "preact/hooks";
import { ForeignText } from "../permission/foreign-text.tsx";
import type { ThreadRun } from "../thread-run.ts";
import type { TranscriptItem } from "../transcript-item.ts";
import { hasEnded } from "../transcript-state.ts";
import { ItemView } from "./item-view.tsx";
import type { KeptThread } from "./kept-thread.ts";
import { LogSkeleton } from "./list-notice.tsx";
import { RunConnection } from "./run-connection.tsx";
import { RunEnd } from "./run-end.tsx";
import { RunProgress } from "./run-progress.tsx";

type RunViewProps = {
  readonly run: ThreadRun;
  readonly thread: KeptThread;
  readonly isLive: boolean;
  /** Live runs before this one. */
  readonly ahead: number;
  readonly isLast: boolean;
  /** The workspace of the turn before, where this one works in another. */
  readonly movedFrom: string | undefined;
};

/** Rendered anew only when its run, or its place among the live ones, is another. */
export const RunView = ({ run, thread, isLive, ahead, isLast, movedFrom }: RunViewProps) =>
  useMemo(() => {
    const { transcript, runId } = run;
    const isUnread = transcript.items.length === 0 && !isGone(run);
    return (
      <div class={hasEnded(transcript) && !isLast ? "run over" : "run"}>
        {isUnread && <LogSkeleton />}
        {movedFrom !== undefined && (
          <p class="notice warn">
            From here on the agent works in <ForeignText text={transcript.workspaceDir ?? ""} isCode />, no longer in{" "}
            <ForeignText text={movedFrom} isCode />.
          </p>
        )}
        {itemsToShow(transcript.items, movedFrom !== undefined).map((item) => (
          <ItemView key={item.key} item={item} runId={runId} isLive={isLive} />
        ))}
        {isLive && <RunProgress run={run} thread={thread} ahead={ahead} />}
        <RunConnection run={run} thread={thread} isLive={isLive} />
        {hasEnded(transcript) && <RunEnd transcript={transcript} isLast={isLast} />}
      </div>
    );
  }, [run, thread, isLive, ahead, isLast, movedFrom]);

/** The notice of a move names both directories: the line that the model was told of it would only repeat it. */
const itemsToShow = (items: readonly TranscriptItem[], isMoveSaid: boolean): readonly TranscriptItem[] =>
  isMoveSaid || items.some(({ type }) => type === "workspace")
    ? items.filter((item) => item.type !== "context" || item.source !== "workspace")
    : items;

const isGone = ({ connection }: ThreadRun): boolean => connection?.state === "closed";
