/** Lets the screen follow the agent: its changes to stocks show at once, and `navigate` moves the tab that sent the prompt. */
import { useEffect } from "preact/hooks";
import { announce } from "../../parts/announcer.tsx";
import { showToast } from "../../parts/toasts.tsx";
import { agentPanelOpen } from "../../state/agent-panel.ts";
import { ROOM_FOR_AGENT } from "../../state/use-media.ts";
import { flashes } from "../../stocks/store/row-state.ts";
import { STOCK_LIST_KEY, type StockList } from "../../stocks/store/stock-store.ts";
import { isWriting } from "../permission/permission-card.tsx";
import { SETTLE_MS } from "../permission/use-stillness.ts";
import { subscribeLiveEvents } from "../stream/live-events.ts";
import { currentScreen } from "./current-screen.ts";
import { changesStocks, readChangedStocks, readPlaceUrl, sayChange } from "./read-tool-result.ts";

/** Limit of calls that have started and not ended. Far more than are ever open at once. */
const MAX_OPEN_CALLS = 200;

let isLinked = false;

/**
 * Call it in whatever shows a conversation. It stays in effect when that is gone, because a run continues while the panel
 * is closed. Each event acts on the screen of that moment: a run may outlive the log-in.
 */
export const useScreenLink = (): void => {
  useEffect(() => {
    if (isLinked) return;
    isLinked = true;
    linkScreen();
  }, []);
};

const linkScreen = (): void => {
  const tools = new Map<string, string>();
  let isRefreshing = false;
  /** Refreshes once for all events of a batch. */
  const refreshStocks = (): void => {
    if (isRefreshing) return;
    isRefreshing = true;
    queueMicrotask(() => {
      isRefreshing = false;
      // Refreshes the list, and the sums of the stocks shown.
      void currentScreen()?.client.invalidateQueries({ queryKey: ["list-stocks"] });
    });
  };
  const onStockTool = (tool: string, output: string, isLive: boolean): void => {
    const change = readChangedStocks(output);
    // A replayed change may have been undone since, and a cut result is incomplete: ask the server.
    if (change === undefined || !isLive) {
      refreshStocks();
      return;
    }
    const screen = currentScreen();
    // After the next sign-in the list is loaded again anyway.
    if (screen === undefined || change.stocks.length + change.deleted.length === 0) return;
    const known = screen.client.getQueryData<StockList>(STOCK_LIST_KEY)?.items ?? [];
    screen.store.apply(change);
    flash(change.stocks.map(({ id }) => id));
    announce(sayChange(tool, change, known));
  };
  subscribeLiveEvents((event, { runId, isLive, isStartedHere }) => {
    if (event.type === "tool_start") {
      if (tools.size >= MAX_OPEN_CALLS) tools.clear();
      tools.set(`${runId} ${event.toolCallId}`, event.tool);
    }
    if (event.type !== "tool_end") return;
    const key = `${runId} ${event.toolCallId}`;
    const tool = tools.get(key) ?? "";
    tools.delete(key);
    // The server knows whether a change with an unknown outcome was made.
    if (changesStocks(tool) && event.status === "unknown") refreshStocks();
    if (event.status !== "completed") return;
    if (changesStocks(tool)) onStockTool(tool, event.output, isLive);
    // Other tabs stay where they are, and so does a tab that only reads an old run.
    const url = tool === "navigate" && isLive && isStartedHere ? readPlaceUrl(event.output) : undefined;
    if (url === undefined) return;
    const go = (): void => show(url);
    // The chat screen and a dialog would both take the focus out of a chat beside the stocks.
    if (isWriting() && (url === "/" || OPENS_DIALOG.test(url)))
      showToast({ text: "The agent has something to show you.", tone: "lasting", action: { label: "Show", run: go } });
    else go();
  });
};

const OPENS_DIALOG = /[?&]dialog=/;

const show = (url: string): void => {
  // A sheet would hide the screen it leads to.
  if (!matchMedia(ROOM_FOR_AGENT).matches) agentPanelOpen.set(false);
  currentScreen()?.goTo(url);
  if (OPENS_DIALOG.test(url)) ignoreEnter();
};

const isInDialog = ({ target }: Event): boolean => target instanceof Element && target.closest("dialog") !== null;

/** Keeps an Enter that was meant for the chat from submitting a form that has just opened over it, as with a card (decision 0079). */
const ignoreEnter = (): void => {
  const settled = new AbortController();
  const options = { capture: true, signal: settled.signal };
  addEventListener("focusin", (event) => isInDialog(event) && setTimeout(() => settled.abort(), SETTLE_MS), options);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || !isInDialog(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener("keydown", onKeyDown, options);
  // The dialog may have been open already, with the focus in it.
  setTimeout(() => settled.abort(), OPENED_MS);
};

/** Longest time that Enter is ignored in dialogs, in ms. */
const OPENED_MS = 5_000;

/** How long a row stays lit. */
const FLASH_MS = 2_000;

/** Lights up rows that the agent has just changed. A row that changes twice stays lit until the time of the later change is over. */
const flash = (ids: readonly string[]): void => {
  for (const id of ids) started.set(id, (started.get(id) ?? 0) + 1);
  flashes.set(new Set(started.keys()));
  setTimeout(() => {
    for (const id of ids) end(id);
    flashes.set(new Set(started.keys()));
  }, FLASH_MS);
};

/** Flashes under way, by stock. */
const started = new Map<string, number>();

const end = (id: string): void => {
  const left = (started.get(id) ?? 0) - 1;
  if (left > 0) started.set(id, left);
  else started.delete(id);
};
