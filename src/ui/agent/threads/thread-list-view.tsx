/** The list of threads. */
import { IconPlus } from "@tabler/icons-preact";
import { useState } from "preact/hooks";
import type { ThreadView } from "../../../contract/thread.ts";
import { formatRelativeTime } from "../../format/format-relative-time.ts";
import { Button } from "../../parts/button.tsx";
import { useStore } from "../../state/use-store.ts";
import { askingThreads } from "../agent-attention.ts";
import { explainProblem } from "../conversation/explain-problem.ts";
import { useThreads } from "./use-threads.ts";

type ThreadListViewProps = {
  /** The one that is shown. */
  readonly threadId: string;
  readonly onPick: (threadId: string) => void;
  readonly onNew: () => void;
};

/** Newest first; a mark where the agent is at work. */
export const ThreadListView = ({ threadId, onPick, onNew }: ThreadListViewProps) => {
  const { query, threads } = useThreads();
  const [now] = useState(() => new Date());
  return (
    <nav class="threads" aria-label="Chats">
      <Button class="new-thread" icon={IconPlus} onClick={onNew}>
        New chat
      </Button>
      {query.isPending && <div class="skeleton" role="status" aria-label="Loading the chats" />}
      {query.isError && threads === undefined && (
        <div class="notice bad" role="alert">
          <p>{explainProblem(query.error)}</p>
          <Button isSmall onClick={() => void query.refetch()}>
            Try again
          </Button>
        </div>
      )}
      {threads?.length === 0 && <p class="hint">Your chats will stand here.</p>}
      <ul>
        {threads?.map((thread) => (
          <li key={thread.threadId}>
            <ThreadLink thread={thread} isShown={thread.threadId === threadId} now={now} onPick={onPick} />
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button isSmall aria-disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {query.isFetchingNextPage ? "Loading…" : "Show more"}
        </Button>
      )}
    </nav>
  );
};

type ThreadLinkProps = {
  readonly thread: ThreadView;
  readonly isShown: boolean;
  readonly now: Date;
  readonly onPick: (threadId: string) => void;
};

const ThreadLink = ({ thread: { threadId, title, updatedAt, activeRunId }, isShown, now, onPick }: ThreadLinkProps) => {
  const { text, iso } = formatRelativeTime(updatedAt, now, navigator.language);
  const isAsking = useStore(askingThreads).includes(threadId);
  return (
    <a
      class="thread-link"
      href={`/t/${encodeURIComponent(threadId)}`}
      aria-current={isShown ? "true" : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        // The router would take the link as its own and leave the screen that the panel stands beside.
        event.stopPropagation();
        onPick(threadId);
      }}
    >
      <span class="title">{title}</span>
      {activeRunId !== null && <span class="badge hit">{isAsking ? "Asks you" : "Working"}</span>}
      <time dateTime={iso ?? undefined}>{text}</time>
    </a>
  );
};
