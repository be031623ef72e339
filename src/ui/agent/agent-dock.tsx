/** Where the agent's panel goes: beside the screen, or in a sheet over it. Its code loads after the first paint. */
import { IconMessageChatbot } from "@tabler/icons-preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { DialogBoundary } from "../shell/dialog-boundary.tsx";
import { ErrorBoundary } from "../shell/error-screen.tsx";
import { ROOM_FOR_AGENT, useMedia } from "../state/use-media.ts";
import { useStore } from "../state/use-store.ts";
import { askingThreads } from "./agent-attention.ts";
import { agentPanelOpen } from "./agent-panel-open.ts";
import { AgentPanel, AgentSheet } from "./lazy-agent-views.ts";

/** The panel, or the button that opens it. */
export const AgentDock = () => {
  const hasRoom = useMedia(ROOM_FOR_AGENT);
  const isOpen = useStore(agentPanelOpen);
  const isDocked = isOpen && hasRoom;
  const launcher = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(isOpen);
  useLayoutEffect(() => {
    // What had the focus went away with the panel, and Safari never gave it to the button that was pressed.
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

/** Stays below an open sheet, which gives the focus back to it. */
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
      {waiting > 0 && <span class="badge warn">asks you</span>}
    </button>
  );
};
