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

/** The panel beside the screen, or its sheet. `AgentEntry` opens them. */
export const AgentDock = () => {
  const hasRoom = useMedia(ROOM_FOR_AGENT);
  const isOpen = useStore(agentPanelOpen);
  const close = (): void => agentPanelOpen.set(false);
  if (!isOpen) return null;
  if (!hasRoom) {
    return (
      <DialogBoundary onClose={close}>
        <AgentSheet />
      </DialogBoundary>
    );
  }
  return (
    <aside class="agent-dock" aria-label="Agent" tabIndex={-1}>
      <ErrorBoundary>
        <AgentPanel onClose={close} />
      </ErrorBoundary>
    </aside>
  );
};

/** Opens the agent. It is in the app's bars: over a screen it would cover something. Absent while the agent is beside the screen. */
export const AgentEntry = () => {
  const waiting = useStore(askingThreads).length;
  const hasRoom = useMedia(ROOM_FOR_AGENT);
  const isOpen = useStore(agentPanelOpen);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(isOpen);
  useLayoutEffect(() => {
    // The focused element disappeared with the panel, and Safari does not focus a button that is pressed.
    if (wasOpen.current && !isOpen && document.activeElement === document.body) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  if (isOpen && hasRoom) return null;
  return (
    <button ref={button} type="button" class="entry" aria-haspopup="dialog" onClick={() => agentPanelOpen.set(true)}>
      <IconMessageChatbot size={20} stroke={1.75} aria-hidden="true" />
      <span>Agent</span>
      {waiting > 0 && (
        <span class="badge warn">
          {waiting}
          <span class="vh"> waiting for you</span>
        </span>
      )}
    </button>
  );
};
