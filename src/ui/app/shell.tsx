import { IconPlugOff } from "@tabler/icons-preact";
import { useQueryClient } from "@tanstack/preact-query";
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso/router";
import { accountOpen } from "../account/settings/account-open.ts";
import { AgentDock } from "../agent/panel/agent-dock.tsx";
import { useAsCurrentScreen } from "../agent/panel/current-screen.ts";
import { useReportNavigation } from "../navigation/report-navigation.ts";
import { DialogBoundary, ErrorBoundary } from "../parts/error-screen.tsx";
import { lazy, useFetchAhead } from "../parts/lazy.ts";
import { Messages } from "../parts/messages.tsx";
import { useShortcuts } from "../parts/use-shortcuts.ts";
import { agentPanelOpen } from "../state/agent-panel.ts";
import { lastChat } from "../state/chats.ts";
import { type Store, useStore } from "../state/store.ts";
import { PHONE, useMedia } from "../state/use-media.ts";
import { BottomBar, ENTRIES, Sidebar } from "./bars.tsx";
import { KeysHelp } from "./keys-help.tsx";
import { isPaletteOpen, usePaletteKey } from "./palette/palette-open.ts";

const ShownAccountDialog = lazy(
  async () => (await import("../account/settings/account-dialog.tsx")).ShownAccountDialog,
);

const SchedulesDialog = lazy(async () => (await import("../agent/schedules/schedules-dialog.tsx")).SchedulesDialog);

/** The account's dialogs, over any screen. Rendered once, outside of the frame's landmarks. */
const AccountDialogs = () => {
  const dialog = useStore(accountOpen);
  const close = (): void => accountOpen.set(undefined);
  if (dialog === undefined) return null;
  return (
    <DialogBoundary onClose={close}>
      {dialog === "schedules" ? (
        <SchedulesDialog onClose={close} />
      ) : (
        <ShownAccountDialog dialog={dialog} onClose={close} />
      )}
    </DialogBoundary>
  );
};

const Palette = lazy(async () => (await import("./palette/palette.tsx")).Palette);

/** The palette, over any screen. Its code comes when it is first opened. */
const CommandPalette = () => {
  usePaletteKey();
  const close = (): void => isPaletteOpen.set(false);
  return useStore(isPaletteOpen) ? (
    <DialogBoundary onClose={close}>
      <Palette onClose={close} />
    </DialogBoundary>
  ) : null;
};

/** Whether the browser believes it is online. */
const online: Store<boolean> = {
  get: () => navigator.onLine,
  // Only the device can change it.
  set: () => {},
  subscribe: (listener) => {
    addEventListener("online", listener);
    addEventListener("offline", listener);
    return () => {
      removeEventListener("online", listener);
      removeEventListener("offline", listener);
    };
  },
};

const OfflineBanner = () => {
  const isOnline = useStore(online);
  return (
    <div role="status">
      {!isOnline && (
        <p class="banner">
          <IconPlugOff size={18} stroke={1.75} aria-hidden="true" />
          You are offline. What you see may be outdated. Changes cannot be saved.
        </p>
      )}
    </div>
  );
};

/** When the open questions of all chats are read, in ms after the first paint. */
const READ_QUESTIONS_MS = 1_000;

/** The frame around every screen: sidebar or bottom bar, the screen, and the agent beside it. */
export const Shell = ({ children }: { readonly children: ComponentChildren }) => {
  const { path, route } = useLocation();
  const isPhone = useMedia(PHONE);
  const isPanelOpen = useStore(agentPanelOpen);
  useReportNavigation();
  useAsCurrentScreen();
  useShortcuts({ "g s": () => route("/stocks"), "g c": () => route(lastChat.get()) });
  const client = useQueryClient();
  // If this fails, the count is only later, because the agent's own views read the same list.
  useFetchAhead(
    () =>
      void import("../agent/panel/list-threads.ts").then(
        ({ watchThreads }) => watchThreads(client),
        () => undefined,
      ),
    READ_QUESTIONS_MS,
  );
  const isChat = ENTRIES[0]?.isCurrent(path) ?? false;
  const hasAgent = !isChat && isPanelOpen;
  return (
    <div class={hasAgent ? "app with-agent" : "app"}>
      <a class="btn skip vh" href="#main">
        Skip to content
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
      <CommandPalette />
      <Messages />
    </div>
  );
};
