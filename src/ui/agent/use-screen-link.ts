/** Lets the screen follow the agent: its changes to stocks show at once, and `navigate` moves the tab that asked. */
import { useEffect } from "preact/hooks";
import { announce } from "../parts/announcer.tsx";
import { ROOM_FOR_AGENT } from "../state/use-media.ts";
import { flash } from "../stocks/flashes.ts";
import { STOCK_LIST_KEY, type StockList } from "../stocks/stock-store.ts";
import { agentPanelOpen } from "./agent-panel-open.ts";
import { currentScreen } from "./current-screen.ts";
import { subscribeLiveEvents } from "./live-events.ts";
import { readPlaceUrl } from "./read-place.ts";
import { changesStocks, readStockChange, sayChange } from "./read-stock-change.ts";

/** Calls whose start was seen and whose end was not; more than this are never open at once. */
const MAX_OPEN_CALLS = 200;

let isLinked = false;

/**
 * Used by whatever shows a conversation, for the first one brings the agent's first events. It stays in force when that
 * is gone: a run goes on while the panel is closed. Each event acts on the screen of that moment: a run outlives a log-in too.
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
  let isReadingAgain = false;
  /** Once for all events that came together. */
  const readAgain = (): void => {
    if (isReadingAgain) return;
    isReadingAgain = true;
    queueMicrotask(() => {
      isReadingAgain = false;
      void currentScreen()?.client.invalidateQueries({ queryKey: STOCK_LIST_KEY });
    });
  };
  const onStockTool = (tool: string, output: string, isLive: boolean): void => {
    const change = readStockChange(output);
    // What is only replayed may have been undone since, and a cut result does not say all: the server knows.
    if (change === undefined || !isLive) {
      readAgain();
      return;
    }
    const screen = currentScreen();
    // The list of the next sign-in is read anew.
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
    // How a change ended that nobody can tell is on the server too.
    if (changesStocks(tool) && event.status === "unknown") readAgain();
    if (event.status !== "completed") return;
    if (changesStocks(tool)) onStockTool(tool, event.output, isLive);
    // Another tab of the same person stays where it is, and so does one that only reads an old run.
    const url = tool === "navigate" && isLive && isStartedHere ? readPlaceUrl(event.output) : undefined;
    if (url === undefined) return;
    // A sheet would hide what it leads to.
    if (!matchMedia(ROOM_FOR_AGENT).matches) agentPanelOpen.set(false);
    currentScreen()?.goTo(url);
  });
};
