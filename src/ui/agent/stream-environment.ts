/** What following a run needs of the world, so that a test can hold the clock and the page. */

import { watchSignedOut } from "../actions/signed-out.ts";
import { afterNextFrame } from "../parts/after-next-frame.ts";

/** What changed about the page or its network. */
export type PageChange = "hidden" | "visible" | "online";

/** Times in ms. Each function that begins something answers how to take it back. */
export type StreamEnvironment = {
  readonly fetch: (
    url: string,
    init: { readonly headers: Record<string, string>; readonly signal: AbortSignal },
  ) => Promise<Response>;
  readonly nowMs: () => number;
  readonly setTimer: (run: () => void, delayMs: number) => () => void;
  /** Runs once, right after the next picture is drawn; soon, when the page is hidden already. */
  readonly afterNextFrame: (run: () => void) => () => void;
  /** From 0 up to 1: spreads reconnects of many clients. */
  readonly random: () => number;
  readonly isHidden: () => boolean;
  readonly onPageChange: (listener: (change: PageChange) => void) => () => void;
};

/** The browser's own. */
export const browserEnvironment: StreamEnvironment = {
  fetch: async (url, init) => {
    const onSignedOut = watchSignedOut();
    const answer = await fetch(url, { ...init, cache: "no-store" });
    if (answer.status === 401) onSignedOut();
    return answer;
  },
  nowMs: () => Date.now(),
  setTimer: (run, delayMs) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
  afterNextFrame: (run) => {
    if (document.hidden) {
      // No frame comes while hidden.
      const timer = setTimeout(run);
      return () => clearTimeout(timer);
    }
    return afterNextFrame(run);
  },
  random: () => Math.random(),
  isHidden: () => document.hidden,
  onPageChange: (listener) => {
    const onVisibility = () => listener(document.hidden ? "hidden" : "visible");
    const onOnline = () => listener("online");
    document.addEventListener("visibilitychange", onVisibility);
    window.addEventListener("online", onOnline);
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      window.removeEventListener("online", onOnline);
    };
  },
};
