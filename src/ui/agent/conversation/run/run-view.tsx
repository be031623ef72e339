import { useContext, useEffect, useMemo, useRef } from "preact/hooks";
import { announce } from "../../../parts/announcer.tsx";
import { Button } from "../../../parts/button.tsx";
import { TodoList } from "../../guidance/todo-list.tsx";
import { ForeignText } from "../../permission/foreign-text.tsx";
import type { ListState } from "../../stream/run-list.ts";
import type { CloseReason } from "../../stream/stream-environment.ts";
import type { ThreadRun } from "../../stream/thread-run.ts";
import type { TranscriptItem } from "../../stream/transcript-item.ts";
import { hasEnded } from "../../stream/transcript-state.ts";
import { ConversationContext } from "../conversation-context.ts";
import { ItemView } from "../item-view.tsx";
import type { KeptThread } from "../kept-thread.ts";
import { RunEnd, RunProgress } from "./run-status.tsx";
import { hasChanges, UndoChanges } from "./undo-changes.tsx";

type ListBannerProps = { readonly list: ListState; readonly hasRuns: boolean; readonly onRetry: () => void };

/** A skeleton while the list of runs loads, and a way to retry when it cannot. */
export const ListBanner = ({ list, hasRuns, onRetry }: ListBannerProps) => {
  if (list.state === "ready") return null;
  if (list.state === "missing") return hasRuns ? null : <MissingBanner />;
  if (list.state === "loading") return hasRuns ? null : <LogSkeleton />;
  return (
    <div class="inline-banner bad" role="alert">
      <p>{listFailureWords(list.status)}</p>
      {list.status !== 401 && (
        <Button isSmall onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
};

const MissingBanner = () => {
  const { openNew } = useContext(ConversationContext);
  return (
    <div class="inline-banner warn">
      <p>This chat does not exist any more.</p>
      <Button isSmall onClick={openNew}>
        Start a new chat
      </Button>
    </div>
  );
};

const LogSkeleton = () => (
  <div class="log-skeleton" role="status" aria-label="Loading the chat">
    <div class="skeleton mine" />
    <div class="skeleton" />
    <div class="skeleton short" />
  </div>
);

const listFailureWords = (status: number | undefined): string => {
  if (status === undefined) return "This chat could not be loaded: the server cannot be reached.";
  if (status === 401) return "You are signed out. Sign in to see this chat.";
  return "This chat could not be loaded.";
};

type RunConnectionProps = { readonly run: ThreadRun; readonly thread: KeptThread; readonly isLive: boolean };

const LOST = "The connection was lost. The agent keeps working, and this page will catch up.";

/** Says that the stream is interrupted or gone. Nothing while all is well. */
const RunConnection = ({ run: { connection }, thread, isLive }: RunConnectionProps) => {
  const isLost = connection?.state === "waiting" && isLive;
  // Announced once, however many tries it takes to connect again.
  const isSaid = useRef(false);
  useEffect(() => {
    if (isLost && !isSaid.current) announce(LOST);
    isSaid.current = isLost || (isSaid.current && connection?.state !== "open");
  }, [isLost, connection?.state]);
  if (isLost) {
    return (
      <div class="inline-banner warn">
        <p>{LOST}</p>
        <Button isSmall onClick={() => thread.transcript.reconnect()}>
          Reconnect
        </Button>
      </div>
    );
  }
  const words = connection?.state === "closed" ? CLOSED_WORDS[connection.reason] : undefined;
  if (words === undefined) return null;
  return (
    <div class="inline-banner warn">
      <p>{words}</p>
    </div>
  );
};

/** Reasons that the person need not know about have no words. */
const CLOSED_WORDS: Readonly<Partial<Record<CloseReason, string>>> = {
  signed_out: "You are signed out. Sign in to see the rest.",
  not_found: "This part of the chat no longer exists.",
  expired: "This part of the chat is more than 30 days old and has been deleted.",
  refused: "This version of the app cannot read the rest. Reload the page.",
};

type RunViewProps = {
  readonly run: ThreadRun;
  readonly thread: KeptThread;
  readonly isLive: boolean;
  /** Live runs before this one. */
  readonly ahead: number;
  readonly isLast: boolean;
  /** The person can go back to before it. */
  readonly canGoBack: boolean;
  /** The workspace of the previous turn, when this one works in a different one. */
  readonly movedFrom: string | undefined;
};

/** One turn: the prompt, what the agent did, how it ended. Renders again only when one of its props changes. */
export const RunView = ({ run, thread, isLive, ahead, isLast, canGoBack, movedFrom }: RunViewProps) =>
  useMemo(() => {
    const { transcript, runId } = run;
    const isUnread = transcript.items.length === 0 && !isGone(run);
    return (
      <div class={hasEnded(transcript) && !isLast ? "run over" : "run"}>
        {isUnread && <LogSkeleton />}
        {movedFrom !== undefined && (
          <p class="inline-banner warn">
            From here on, the agent works in <ForeignText text={transcript.workspaceDir ?? ""} isCode /> instead of{" "}
            <ForeignText text={movedFrom} isCode />.
          </p>
        )}
        {itemsToShow(transcript.items, movedFrom !== undefined).map((item) => (
          <ItemView
            key={item.key}
            {...{ item, runId, isLive, canGoBack }}
            isAsking={item.type === "steer" && transcript.status === "waiting_permission"}
          />
        ))}
        <TodoList todos={transcript.todos} />
        {isLive && <RunProgress run={run} thread={thread} ahead={ahead} />}
        <RunConnection run={run} thread={thread} isLive={isLive} />
        {hasEnded(transcript) && <RunEnd transcript={transcript} isLast={isLast} />}
        {hasEnded(transcript) && hasChanges(transcript.items) && <UndoChanges runId={runId} isUndone={run.isUndone} />}
      </div>
    );
  }, [run, thread, isLive, ahead, isLast, canGoBack, movedFrom]);

/** The banner of a move names both directories, so the item that says that the model was told of the move is left out. */
const itemsToShow = (items: readonly TranscriptItem[], isMoveSaid: boolean): readonly TranscriptItem[] =>
  isMoveSaid || items.some(({ type }) => type === "workspace")
    ? items.filter((item) => item.type !== "context" || item.source !== "workspace")
    : items;

const isGone = ({ connection }: ThreadRun): boolean => connection?.state === "closed";
