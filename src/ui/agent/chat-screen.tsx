/** `/` and `/t/:threadId`: the threads, and one of them in the middle of the window. */

import { useLayoutEffect, useState } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso/router";
import { ErrorBoundary } from "../shell/error-screen.tsx";
import { ScreenTitle } from "../shell/screen-title.tsx";
import { PHONE, useMedia } from "../state/use-media.ts";
import { Conversation } from "./conversation/conversation.tsx";
import { showThread } from "./current-thread.ts";
import { freshThreadId, takeFreshThread } from "./threads/fresh-thread.ts";
import { ThreadBar } from "./threads/thread-bar.tsx";
import { ThreadListView } from "./threads/thread-list-view.tsx";
import { threadTitle } from "./threads/thread-title.ts";
import { useThreads } from "./threads/use-threads.ts";

/** The list stands beside the conversation, or in its place on a phone. */
export const ChatScreen = () => {
  const { params } = useRoute();
  const { route } = useLocation();
  const isPhone = useMedia(PHONE);
  const [isListOpen, setListOpen] = useState(false);
  const { threads } = useThreads();
  const threadId = params.threadId ?? freshThreadId();
  const title = threadTitle(threads, threadId);
  const isNew = params.threadId === undefined;
  useLayoutEffect(() => {
    // Going on in the panel beside another screen.
    if (!isNew) showThread(threadId);
  }, [threadId, isNew]);

  const open = (id: string): void => {
    setListOpen(false);
    route(`/t/${encodeURIComponent(id)}`);
  };
  const openNew = (): void => {
    setListOpen(false);
    route("/");
  };
  const list = <ThreadListView threadId={threadId} onPick={open} onNew={openNew} />;
  const isListShown = isPhone && isListOpen;
  return (
    <div class="chat-screen">
      <ScreenTitle title={isNew ? "Chat" : title} isHidden />
      {!isPhone && list}
      <div class="chat-main">
        <ThreadBar
          threadId={threadId}
          title={title}
          isKnown={threads?.some((thread) => thread.threadId === threadId) ?? false}
          onNew={openNew}
          onDeleted={openNew}
          {...(isPhone ? { isListOpen, onList: () => setListOpen(!isListOpen) } : {})}
        />
        {isListShown ? (
          list
        ) : (
          <ErrorBoundary key={threadId}>
            <Conversation
              key={threadId}
              threadId={threadId}
              isNew={isNew}
              onSent={() => {
                if (!isNew) return;
                takeFreshThread();
                // The person may have gone elsewhere while the message was on its way.
                if (location.pathname === "/") route(`/t/${encodeURIComponent(threadId)}`, true);
              }}
            />
          </ErrorBoundary>
        )}
      </div>
    </div>
  );
};
