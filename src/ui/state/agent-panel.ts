/** The agent's panel, as the rest of the app sees it, without loading the agent's code. */
import { createStore } from "./store.ts";
import { ROOM_FOR_AGENT } from "./use-media.ts";

/** Whether the panel is open, beside the screen or as a sheet over it. Initially open where there is room. */
export const agentPanelOpen = createStore(matchMedia(ROOM_FOR_AGENT).matches);

/**
 * `sent`: the text was sent to that thread with that idempotency key, and the response may have been lost. `isBack`: the text comes back
 * by itself, to somebody who may be writing elsewhere.
 */
type AskedText = {
  readonly text: string;
  readonly sent?: { readonly threadId: string; readonly key: string };
  readonly isBack?: boolean;
};

/** A text for the composer on the page, or for the next one; undefined once it has been taken. */
export const askedText = createStore<AskedText | undefined>(undefined);

/** Opens the panel and begins a question about a stock in its composer. Nothing is sent: the question itself is still missing. */
export const askAbout = ({ symbol, name }: { readonly symbol: string; readonly name: string }): void => {
  askedText.set({ text: `About ${symbol}${name === symbol ? "" : ` (${name})`}: ` });
  agentPanelOpen.set(true);
};
