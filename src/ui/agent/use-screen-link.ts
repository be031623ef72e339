/** Lets the screen follow the agent: its changes to stocks show at once, and `navigate` moves the tab that asked. */
import { useQueryClient } from "@tanstack/preact-query";
import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { NumberedEvent } from "../../contract/transcript.ts";
import { announce } from "../parts/announcer.tsx";
import { flash } from "../stocks/flashes.ts";
import { STOCK_LIST_KEY, type StockList } from "../stocks/stock-store.ts";
import { useStockStore } from "../stocks/stock-store-context.ts";
import { type LiveRun, subscribeLiveEvents } from "./live-events.ts";
import { readPlaceUrl } from "./read-place.ts";
import { changesStocks, readStockChange, sayChange } from "./read-stock-change.ts";

/** Calls whose start was seen and whose end was not; more than this are never open at once. */
const MAX_OPEN_CALLS = 200;

/** Used once, by the shell. */
export const useScreenLink = (): void => {
  const client = useQueryClient();
  const store = useStockStore();
  const { route } = useLocation();
  const goTo = useRef(route);
  goTo.current = route;
  useEffect(() => {
    const tools = new Map<string, string>();
    const onStockTool = (tool: string, output: string): void => {
      const known = client.getQueryData<StockList>(STOCK_LIST_KEY)?.items ?? [];
      const change = readStockChange(output);
      if (change === undefined) {
        void client.invalidateQueries({ queryKey: STOCK_LIST_KEY });
        return;
      }
      if (change.stocks.length + change.deleted.length === 0) return;
      store.apply(change);
      flash(change.stocks.map(({ id }) => id));
      announce(sayChange(tool, change, known));
    };
    return subscribeLiveEvents((event: NumberedEvent, run: LiveRun) => {
      if (event.type === "tool_start") {
        if (tools.size >= MAX_OPEN_CALLS) tools.clear();
        tools.set(`${run.runId} ${event.toolCallId}`, event.tool);
      }
      if (event.type !== "tool_end") return;
      const key = `${run.runId} ${event.toolCallId}`;
      const tool = tools.get(key) ?? "";
      tools.delete(key);
      if (!run.isLive || event.status !== "completed") return;
      if (changesStocks(tool)) onStockTool(tool, event.output);
      // Another tab of the same person stays where it is, and so does one that only reads an old run.
      const url = tool === "navigate" && run.isStartedHere ? readPlaceUrl(event.output) : undefined;
      if (url !== undefined) goTo.current(url);
    });
  }, [client, store]);
};
