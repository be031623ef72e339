/** Tells the person's other tabs of changes to stocks, so that they need no polling. */
import { shownPerson } from "../account/person.ts";
import type { StockChange } from "./stock-change.ts";

/** `person` is who the sender shows: a tab that still shows somebody else must not mix them. */
type TabMessage = { readonly person: string | undefined; readonly change: StockChange };

/** Sends to, and hears from, this browser's other tabs of the same person. */
export const openTabChannel = (onChange: (change: StockChange) => void) => {
  const channel = new BroadcastChannel("tally.stocks");
  channel.addEventListener("message", ({ data: { person, change } }: MessageEvent<TabMessage>) => {
    if (person === shownPerson()) onChange(change);
  });
  return {
    send: (change: StockChange): void => channel.postMessage({ person: shownPerson(), change } satisfies TabMessage),
    close: (): void => channel.close(),
  };
};
