/** The agent beside a screen. */
import { IconX } from "@tabler/icons-preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { ErrorBoundary } from "../shell/error-screen.tsx";
import { useStore } from "../state/use-store.ts";
import { askedText } from "./ask-agent.ts";
import { Conversation } from "./conversation/conversation.tsx";
import { currentThread, showNewThread, showThread } from "./current-thread.ts";
import { ThreadBar } from "./threads/thread-bar.tsx";
import { ThreadListView } from "./threads/thread-list-view.tsx";
import { threadTitle } from "./threads/thread-title.ts";
import { useThreads } from "./threads/use-threads.ts";

/** `onClose` where nothing around it closes it. */
export const AgentPanel = ({ onClose }: { readonly onClose?: () => void }) => {
  const { threadId, isNew } = useStore(currentThread);
  const [isListOpen, setListOpen] = useState(false);
  const { threads } = useThreads();
  const asked = useStore(askedText);
  useLayoutEffect(() => {
    // The composer that takes the text stands where the list is now.
    if (asked !== undefined) setListOpen(false);
  }, [asked]);
  const open = (id: string): void => {
    setListOpen(false);
    showThread(id);
  };
  const openNew = (): void => {
    setListOpen(false);
    showNewThread();
  };
  const onSent = (): void => {
    // The person may have gone on to another one while the message was on its way.
    if (currentThread.get().threadId === threadId) showThread(threadId);
  };
  return (
    <div class="agent-panel">
      <ThreadBar
        threadId={threadId}
        title={threadTitle(threads, threadId)}
        isKnown={threads?.some((thread) => thread.threadId === threadId) ?? false}
        onNew={openNew}
        onDeleted={() => setListOpen(false)}
        {...(onClose ? { heading: "Agent" } : {})}
        isListOpen={isListOpen}
        onList={() => setListOpen(!isListOpen)}
      >
        {onClose && <Button tone="ghost" icon={IconX} label="Close the agent" onClick={onClose} />}
      </ThreadBar>
      {isListOpen ? (
        <ThreadListView threadId={threadId} onPick={open} onNew={openNew} />
      ) : (
        <ErrorBoundary key={threadId}>
          <Conversation key={threadId} threadId={threadId} isNew={isNew} onSent={onSent} />
        </ErrorBoundary>
      )}
    </div>
  );
};
