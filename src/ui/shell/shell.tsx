/** The frame around every screen. */
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso/router";
import { AccountDialogs } from "../account/account-dialogs.tsx";
import { AgentDock } from "../agent/agent-dock.tsx";
import { agentPanelOpen } from "../agent/agent-panel-open.ts";
import { useAsCurrentScreen } from "../agent/current-screen.ts";
import { useReportNavigation } from "../navigation/use-report-navigation.ts";
import { Announcer } from "../parts/announcer.tsx";
import { Toasts } from "../parts/toasts.tsx";
import { PHONE, useMedia } from "../state/use-media.ts";
import { useStore } from "../state/use-store.ts";
import { BottomBar } from "./bottom-bar.tsx";
import { ErrorBoundary } from "./error-screen.tsx";
import { KeysHelp } from "./keys-help.tsx";
import { OfflineBanner } from "./offline-banner.tsx";
import { PLACES } from "./places.ts";
import { Sidebar } from "./sidebar.tsx";
import { useShortcuts } from "./use-shortcuts.ts";

/** Sidebar or bottom bar, the screen, and the agent beside it. */
export const Shell = ({ children }: { readonly children: ComponentChildren }) => {
  const { path, route } = useLocation();
  const isPhone = useMedia(PHONE);
  const isPanelOpen = useStore(agentPanelOpen);
  useReportNavigation();
  useAsCurrentScreen();
  useShortcuts({ "g s": () => route("/stocks"), "g c": () => route("/") });
  const isChat = PLACES[0]?.isCurrent(path) ?? false;
  const hasAgent = !isChat && isPanelOpen;
  return (
    <div class={hasAgent ? "app with-agent" : "app"}>
      <a class="btn skip vh" href="#main">
        Skip to the content
      </a>
      {!isPhone && <Sidebar />}
      <div class="screen">
        <OfflineBanner />
        <main id="main" class={isChat ? "chat" : undefined} tabIndex={-1}>
          <ErrorBoundary key={isChat ? "chat" : path} isScreen>
            {children}
          </ErrorBoundary>
        </main>
      </div>
      {!isChat && <AgentDock />}
      {isPhone && <BottomBar />}
      <KeysHelp />
      <AccountDialogs />
      <Toasts />
      <Announcer />
    </div>
  );
};
