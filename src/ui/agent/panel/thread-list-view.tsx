import { IconCalendarRepeat, IconPlus } from "@tabler/icons-preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { accountOpen } from "../../account/settings/account-open.ts";
import { isUnreachable } from "../../api/api-error.ts";
import { useWhenReachable } from "../../api/use-when-reachable.ts";
import { Button } from "../../parts/button.tsx";
import { askedText } from "../../state/agent-panel.ts";
import { messageToSend } from "../../state/message-to-send.ts";
import { useStore } from "../../state/store.ts";
import { useMinute } from "../../state/use-minute.ts";
import { explainProblem } from "../conversation/explain-problem.ts";
import { groupByDay } from "./day-groups.ts";
import { ThreadLink } from "./thread-link.tsx";
import { ThreadDialog, type ThreadDialogProps, ThreadMenuButton } from "./thread-menu.tsx";
import { ThreadSearch } from "./thread-search.tsx";
import { useThreads } from "./use-threads.ts";

/** Whether the list is in the conversation's place. What comes into the conversation from another part of the app closes it. */
export const useListOpen = () => {
  const [isListOpen, setListOpen] = useState(false);
  const asked = useStore(askedText);
  const toSend = useStore(messageToSend);
  useLayoutEffect(() => {
    // The composer that takes the text is hidden behind the list.
    if (asked !== undefined && !asked.isBack) setListOpen(false);
  }, [asked]);
  useLayoutEffect(() => {
    // The answer, and a card that asks for a permission, would be hidden as well.
    if (toSend !== undefined) setListOpen(false);
  }, [toSend]);
  return [isListOpen, setListOpen] as const;
};

type ThreadListViewProps = {
  /** The thread that is open. */
  readonly threadId: string;
  readonly onPick: (threadId: string) => void;
  readonly onNew: () => void;
  /** As for `ThreadMenu`. */
  readonly onDeleted: (threadId: string) => void;
};

/** The list of threads, newest first, and the search in them. */
export const ThreadListView = ({ threadId, onPick, onNew, onDeleted }: ThreadListViewProps) => {
  const { query, threads } = useThreads();
  const now = useMinute();
  // Not within its row, which is replaced by another one when the chat moves to another day.
  const [dialog, setDialog] = useState<Omit<ThreadDialogProps, "onClose" | "onDeleted">>();
  useWhenReachable(isUnreachable(query.error), () => void query.refetch());
  return (
    <nav class="threads" aria-label="Chats">
      <Button class="new-thread" icon={IconPlus} onClick={onNew}>
        New chat
      </Button>
      <Button tone="ghost" icon={IconCalendarRepeat} onClick={() => accountOpen.set("schedules")}>
        Schedules
      </Button>
      <ThreadSearch threadId={threadId} onPick={onPick}>
        {query.isPending && <div class="skeleton" role="status" aria-label="Loading chats" />}
        {query.isError && threads === undefined && (
          <div class="inline-banner bad" role="alert">
            <p>{explainProblem(query.error)}</p>
            <Button isSmall onClick={() => void query.refetch()}>
              Try again
            </Button>
          </div>
        )}
        {threads?.length === 0 && <p class="hint">Your chats will appear here.</p>}
        {groupByDay(threads ?? [], now).map(([name, group]) => (
          <section key={name} aria-label={name}>
            <h2>{name}</h2>
            <ul>
              {group.map((thread) => (
                <li key={thread.threadId} class="thread-row">
                  <ThreadLink thread={thread} isShown={thread.threadId === threadId} now={now} onPick={onPick} />
                  <ThreadMenuButton
                    threadId={thread.threadId}
                    label={`Options for ${thread.title}`}
                    onOpen={(name) => setDialog({ dialog: name, threadId: thread.threadId, title: thread.title })}
                  />
                </li>
              ))}
            </ul>
          </section>
        ))}
        {query.isFetchNextPageError && (
          <p class="problem" role="alert">
            {explainProblem(query.error)}
          </p>
        )}
        {query.hasNextPage && (
          <Button isSmall aria-disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {query.isFetchingNextPage ? "Loading…" : "Show more"}
          </Button>
        )}
      </ThreadSearch>
      {dialog && (
        <ThreadDialog
          {...dialog}
          // A deletion that ends after its dialog was closed must not close another dialog.
          onClose={() => setDialog((shown) => (shown === dialog ? undefined : shown))}
          onDeleted={onDeleted}
        />
      )}
    </nav>
  );
};
