/** The agent over a screen, where there is no room beside it. */
import { Dialog } from "../parts/dialog.tsx";
import { AgentPanel } from "./agent-panel.tsx";
import { agentPanelOpen } from "./agent-panel-open.ts";

/** A sheet that takes the whole height. Goes away when a link of it leads to a screen behind it. */
export const AgentSheet = () => {
  const close = (): void => agentPanelOpen.set(false);
  return (
    <Dialog title="Agent" isTall onClose={close}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: listens to the links inside. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a link's Enter arrives as a click. */}
      <div
        class="agent-sheet"
        onClick={({ target }) => {
          const link = target instanceof Element ? target.closest("a") : null;
          if (link && link.target !== "_blank" && !link.classList.contains("thread-link")) close();
        }}
      >
        <AgentPanel />
      </div>
    </Dialog>
  );
};
