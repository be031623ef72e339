/** The app's navigation: a sidebar, or a bar at the bottom of a phone. */
import { type Icon, IconMessage, IconPlus, IconTrendingUp, IconUserCircle } from "@tabler/icons-preact";
import { useQueryClient } from "@tanstack/preact-query";
import { useLayoutEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { chatPath, isChatPath } from "../../contract/app-paths.ts";
import { useSession } from "../account/person.ts";
import { AgentEntry } from "../agent/panel/agent-dock.tsx";
import { placeUrl, START_PLACE, useStocksPlace } from "../navigation/stocks-place.ts";
import { DialogBoundary } from "../parts/error-screen.tsx";
import { lazy } from "../parts/lazy.ts";
import { closeMenu, Menu } from "../parts/menu.tsx";
import { askingThreads, lastChat } from "../state/chats.ts";
import { useStore } from "../state/store.ts";
import { useTargetHits } from "../stocks/list/shown/narrow-stocks.ts";
import { isHelpOpen } from "./keys-help.tsx";
import { isPaletteOpen } from "./palette/palette-open.ts";

/** An entry of the bars: one of the app's main screens. `isCurrent` tells whether a path belongs to it. */
type Entry = {
  readonly href: string;
  readonly label: string;
  readonly icon: Icon;
  readonly isCurrent: (path: string) => boolean;
};

export const ENTRIES: readonly Entry[] = [
  { href: "/", label: "Chat", icon: IconMessage, isCurrent: isChatPath },
  { href: "/stocks", label: "Stocks", icon: IconTrendingUp, isCurrent: (path) => path === "/stocks" },
];

const AccountEntries = lazy(async () => (await import("../account/settings/account-entries.tsx")).AccountEntries);

/** `isTab` makes its button look like a tab of the bottom bar. */
const AccountMenu = ({ isTab = false }: { readonly isTab?: boolean }) => {
  const { data: session } = useSession();
  const client = useQueryClient();
  const email = session?.authDisabled === false ? session.email : undefined;
  useLayoutEffect(() => {
    if (email === undefined) return;
    void import("../account/organization/watch-invitations.ts").then(
      ({ watchInvitations }) => watchInvitations(client, email),
      // The account lists them all the same.
      () => undefined,
    );
  }, [email]);
  return (
    <Menu
      label={session ? `Account of ${session.email}` : "Account"}
      icon={IconUserCircle}
      class={isTab ? "entry" : "account-button"}
      face={<span>{isTab ? "Account" : (session?.email ?? " ")}</span>}
    >
      <DialogBoundary onClose={closeMenu}>
        <AccountEntries onHelp={() => isHelpOpen.set(true)} onPalette={() => isPaletteOpen.set(true)} />
      </DialogBoundary>
    </Menu>
  );
};

/**
 * A link to a screen, marked when it is the current one. The chat's link leads to a thread that waits for the person. If none does, it
 * leads back to the thread they came from, and from a thread to a new one.
 */
const EntryLink = ({ href, label, icon: Icon, isCurrent }: Entry) => {
  const { path } = useLocation();
  const hits = useTargetHits();
  const asking = useStore(askingThreads);
  const isChat = href === "/";
  const isHere = isCurrent(path);
  const chat = useStore(lastChat);
  useLayoutEffect(() => {
    if (isChat && isHere) lastChat.set(path);
  }, [isChat && isHere && path]);
  return (
    <a
      class="entry"
      href={isChat && asking[0] !== undefined ? chatPath(asking[0]) : isChat && !isHere ? chat : href}
      aria-current={isHere ? "page" : undefined}
    >
      <Icon size={20} stroke={1.75} aria-hidden="true" />
      <span>{label}</span>
      {isChat ? (
        <Count
          count={asking.length}
          what={asking.length === 1 ? "chat waiting for you" : "chats waiting for you"}
          tone="warn"
        />
      ) : (
        <Count count={hits} what={hits === 1 ? "target reached" : "targets reached"} tone="hit" />
      )}
    </a>
  );
};

type CountProps = { readonly count: number; readonly what: string; readonly tone: "hit" | "warn" };

const Count = ({ count, what, tone }: CountProps) =>
  count === 0 ? null : (
    <span class={`badge ${tone}`} title={what}>
      {count}
      <span class="vh"> {what}</span>
    </span>
  );

/** Nothing on the chat's own screen, which is the agent already. */
const AgentItem = () => {
  const { path } = useLocation();
  return ENTRIES[0]?.isCurrent(path) ? null : (
    <li>
      <AgentEntry />
    </li>
  );
};

/** Shows only icons in narrower windows. */
export const Sidebar = () => (
  <header class="sidebar">
    <div class="brand">
      <img src="/icon.svg" alt="" width="22" height="22" />
      <b>Tally</b>
    </div>
    <nav aria-label="Main">
      <ul>
        {ENTRIES.map((entry) => (
          <li key={entry.href}>
            <EntryLink {...entry} />
          </li>
        ))}
        <AgentItem />
      </ul>
    </nav>
    <div class="account">
      <AccountMenu />
    </div>
  </header>
);

/** The bar at the bottom of windows under 768 px: screens, the agent, adding a stock, account; within reach of a thumb. */
export const BottomBar = () => {
  const { go } = useStocksPlace();
  return (
    <nav class="bottom-bar" aria-label="Main">
      <ul>
        {ENTRIES.map((entry) => (
          <li key={entry.href}>
            <EntryLink {...entry} />
          </li>
        ))}
        <AgentItem />
        <li>
          <a
            class="entry"
            href={placeUrl({ ...START_PLACE, dialog: "add" })}
            onClick={(event) => {
              // The router would follow the address as it is, and the list behind the dialog would lose tab, search and filters.
              event.preventDefault();
              event.stopPropagation();
              go({ dialog: "add" });
            }}
          >
            <IconPlus size={20} stroke={1.75} aria-hidden="true" />
            <span>Add</span>
          </a>
        </li>
        <li>
          <AccountMenu isTab />
        </li>
      </ul>
    </nav>
  );
};
