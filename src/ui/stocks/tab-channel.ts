/** Tells the person's other tabs of changes to stocks, so that they need no polling. */
import type { StockChange } from "./stock-change.ts";

/** Sends to, and hears from, this browser's other tabs. */
export const openTabChannel = (onChange: (change: StockChange) => void) => {
  const channel = new BroadcastChannel("tally.stocks");
  channel.addEventListener("message", ({ data }: MessageEvent<StockChange>) => onChange(data));
  return {
    send: (change: StockChange): void => channel.postMessage(change),
    close: (): void => channel.close(),
  };
};
