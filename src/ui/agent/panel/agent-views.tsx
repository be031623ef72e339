/**
 * The agent's views: beside a screen, in a sheet over it, and as a screen. One file to fetch, since they share nearly all of their code.
 */
import { IconX } from "@tabler/icons-preact";
import type { ComponentChildren } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { useLocation, useRoute } from "preact-iso/router";
import { chatPath } from "../../../contract/app-paths.ts";
import { useBackStep } from "../../navigation/use-back-step.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorBoundary } from "../../parts/error-screen.tsx";
import { ScreenTitle } from "../../parts/screen-title.tsx";
import { agentPanelOpen } from "../../state/agent-panel.ts";
import { useStore } from "../../state/store.ts";
import { PHONE, ROOM_FOR_AGENT, useMedia } from "../../state/use-media.ts";
import { adoptAgentStyles } from "../adopt-agent-styles.ts";
import { Conversation } from "../conversation/conversation.tsx";
import { useNoticePresses } from "../conversation/use-linked-card.ts";
import { currentThread, freshThreadId, noteSent, showNewThread, showThread } from "./current-thread.ts";
import { ThreadBar } from "./thread-bar.tsx";
import { ThreadListView, useListOpen } from "./thread-list-view.tsx";
import { threadTitle, useThreads } from "./use-threads.ts";

const room = matchMedia(ROOM_FOR_AGENT);
let hadRoom = room.matches;
let isPutAway = false;

// Without room for it, the panel would become a sheet that nobody has opened, over what is being read. It is put away, unless it has the
// focus, and comes back with the room. Listens to `resize`, which precedes the change of a media query: the focus is still in the panel.
addEventListener("resize", () => {
  const hasRoom = room.matches;
  if (hasRoom === hadRoom) return;
  hadRoom = hasRoom;
  if (hasRoom && isPutAway) agentPanelOpen.set(true);
  isPutAway = !hasRoom && agentPanelOpen.get() && !document.activeElement?.closest(".agent-dock");
  if (isPutAway) agentPanelOpen.set(false);
});

type BehindListProps = {
  readonly isHidden: boolean;
  readonly threadId: string;
  readonly children: ComponentChildren;
};

/** Keeps the conversation while the list of chats is in its place, with all that was begun in it: answers, notes, an edit. */
const BehindList = ({ isHidden, threadId, children }: BehindListProps) => (
  <div class="behind-list" hidden={isHidden}>
    <ErrorBoundary key={threadId}>{children}</ErrorBoundary>
  </div>
);

/** The agent beside a screen. Without `onClose`, something around it closes it. */
export const AgentPanel = ({ onClose }: { readonly onClose?: () => void }) => {
  adoptAgentStyles();
  const { route } = useLocation();
  const { threadId, isNew } = useStore(currentThread);
  const [isListOpen, setListOpen] = useListOpen();
  const { threads } = useThreads();
  // In a sheet, Back closes the list first, and then the sheet, which has a step of its own.
  useBackStep(isListOpen && onClose === undefined, () => setListOpen(false));
  const open = (id: string): void => {
    setListOpen(false);
    showThread(id);
  };
  const openNew = (): void => {
    setListOpen(false);
    showNewThread();
  };
  const leave = (deleted: string): void => {
    if (currentThread.get().threadId === deleted) openNew();
  };
  return (
    <div class="agent-panel">
      <ThreadBar
        threadId={threadId}
        title={threadTitle(threads, { threadId, isNew })}
        isNew={isNew}
        isKnown={threads?.some((thread) => thread.threadId === threadId) ?? false}
        onNew={openNew}
        onDeleted={leave}
        {...(onClose ? { heading: "Agent" } : {})}
        isListOpen={isListOpen}
        onList={() => setListOpen(!isListOpen)}
      >
        {onClose && <Button tone="ghost" icon={IconX} label="Close the agent" onClick={onClose} />}
      </ThreadBar>
      {isListOpen && <ThreadListView threadId={threadId} onPick={open} onNew={openNew} onDeleted={leave} />}
      <BehindList isHidden={isListOpen} threadId={threadId}>
        <Conversation
          key={threadId}
          threadId={threadId}
          isNew={isNew}
          isHidden={isListOpen}
          onSent={() => noteSent(threadId, route)}
          onOpen={open}
          onNew={openNew}
        />
      </BehindList>
    </div>
  );
};

/** The agent in a sheet of full height. Following a link to a screen closes it. */
export const AgentSheet = () => {
  const close = (): void => agentPanelOpen.set(false);
  useBackStep(true, close);
  return (
    <Dialog title="Agent" isTall onClose={close}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: listens to the links inside. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a link's Enter arrives as a click. */}
      <div
        class="agent-sheet"
        onClick={({ target }) => {
          const link = target instanceof Element ? target.closest("a") : null;
          if (link && link.target !== "_blank" && !link.classList.contains("thread-link")) {
            // After the router has followed the link. Otherwise closing would step back from where it leads.
            setTimeout(close);
          }
        }}
      >
        <AgentPanel />
      </div>
    </Dialog>
  );
};

/** `/` and `/t/:threadId`: the list of threads beside one of them. On a phone the list replaces the conversation while it is open. */
export const ChatScreen = () => {
  adoptAgentStyles();
  const { params } = useRoute();
  const { route } = useLocation();
  const isPhone = useMedia(PHONE);
  const [isListOpen, setListOpen] = useListOpen();
  const { threads } = useThreads();
  useNoticePresses();
  useBackStep(isPhone && isListOpen, () => setListOpen(false));
  // Renders again when the next new chat gets another id.
  useStore(currentThread);
  const threadId = params.threadId ?? freshThreadId();
  const isNew = params.threadId === undefined;
  const title = threadTitle(threads, { threadId, isNew });
  useLayoutEffect(() => {
    // The panel beside another screen continues with this thread.
    if (!isNew) showThread(threadId);
  }, [threadId, isNew]);

  const open = (id: string): void => {
    setListOpen(false);
    route(chatPath(id));
  };
  const openNew = (): void => {
    setListOpen(false);
    route("/");
  };
  const leave = (deleted: string): void => {
    if (location.pathname === chatPath(deleted)) openNew();
  };
  const list = <ThreadListView threadId={threadId} onPick={open} onNew={openNew} onDeleted={leave} />;
  const isListShown = isPhone && isListOpen;
  return (
    <div class="chat-screen">
      <ScreenTitle title={isNew ? "Chat" : title} isHidden />
      {!isPhone && list}
      <div class="chat-main">
        <ThreadBar
          threadId={threadId}
          title={title}
          isNew={isNew}
          isKnown={threads?.some((thread) => thread.threadId === threadId) ?? false}
          onNew={openNew}
          onDeleted={leave}
          {...(isPhone ? { isListOpen, onList: () => setListOpen(!isListOpen) } : {})}
        />
        {isListShown && list}
        <BehindList isHidden={isListShown} threadId={threadId}>
          <Conversation
            key={threadId}
            threadId={threadId}
            isNew={isNew}
            isHidden={isListShown}
            onOpen={open}
            onNew={openNew}
            onSent={() => noteSent(threadId, route)}
          />
        </BehindList>
      </div>
    </div>
  );
};
