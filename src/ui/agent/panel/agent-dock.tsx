/** Puts the agent beside the screen, or in a sheet over it. Its code loads after the first paint. */
import { IconMessageChatbot } from "@tabler/icons-preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { DialogBoundary, ErrorBoundary } from "../../parts/error-screen.tsx";
import { lazy } from "../../parts/lazy.ts";
import { agentPanelOpen } from "../../state/agent-panel.ts";
import { askingThreads } from "../../state/chats.ts";
import { useStore } from "../../state/store.ts";
import { ROOM_FOR_AGENT, useMedia } from "../../state/use-media.ts";

const fetchViews = () => import("./agent-views.tsx");

const AgentPanel = lazy(async () => (await fetchViews()).AgentPanel);

const AgentSheet = lazy(async () => (await fetchViews()).AgentSheet);

export const ChatScreen = lazy(async () => (await fetchViews()).ChatScreen);

/** The panel, or the button that opens it. */
export const AgentDock = () => {
  const hasRoom = useMedia(ROOM_FOR_AGENT);
  const isOpen = useStore(agentPanelOpen);
  const isDocked = isOpen && hasRoom;
  const launcher = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(isOpen);
  useLayoutEffect(() => {
    // The focused element disappeared with the panel, and Safari does not focus a button that is pressed.
    if (wasOpen.current && !isOpen && document.activeElement === document.body) launcher.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const close = (): void => agentPanelOpen.set(false);
  if (isDocked) {
    return (
      <aside class="agent-dock" aria-label="Agent" tabIndex={-1}>
        <ErrorBoundary>
          <AgentPanel onClose={close} />
        </ErrorBoundary>
      </aside>
    );
  }
  return (
    <>
      <Launcher launcher={launcher} />
      {isOpen && (
        <DialogBoundary onClose={close}>
          <AgentSheet />
        </DialogBoundary>
      )}
    </>
  );
};

/** Stays rendered under an open sheet, which gives the focus back to it. */
const Launcher = ({ launcher }: { readonly launcher: { current: HTMLButtonElement | null } }) => {
  const waiting = useStore(askingThreads).length;
  return (
    <button
      ref={launcher}
      type="button"
      class="btn agent-launcher"
      aria-haspopup="dialog"
      onClick={() => agentPanelOpen.set(true)}
    >
      <IconMessageChatbot size={20} stroke={1.75} aria-hidden="true" />
      Agent
      {waiting > 0 && <span class="badge warn">waiting for you</span>}
    </button>
  );
};
