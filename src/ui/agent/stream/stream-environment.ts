/** The browser as a stream sees it, replaceable in tests; the options, the states and the retry delays of a stream. */
import type { NumberedEvent } from "../../../contract/transcript.ts";
import { watchSignedOut } from "../../api/request-json.ts";
import { afterNextFrame } from "../../parts/after-next-frame.ts";
import { isAppleMobile } from "../../state/apple-mobile.ts";

/** A change of the page or its network. */
export type PageChange = "hidden" | "visible" | "online";

/** Times are in ms. Each function that starts something returns a function that cancels it. */
export type StreamEnvironment = {
  readonly fetch: (
    url: string,
    init: { readonly headers: Record<string, string>; readonly signal: AbortSignal },
  ) => Promise<Response>;
  readonly nowMs: () => number;
  readonly setTimer: (run: () => void, delayMs: number) => () => void;
  /** Runs once, right after the next frame; soon, if the page is hidden. */
  readonly afterNextFrame: (run: () => void) => () => void;
  /** In [0, 1): spreads the reconnects of many clients. */
  readonly random: () => number;
  readonly isHidden: () => boolean;
  /** Whether a hidden page soon runs no timers, although its connections stay open. */
  readonly sleepsWhenHidden: () => boolean;
  readonly onPageChange: (listener: (change: PageChange) => void) => () => void;
};

/** The environment of a real browser. */
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
      // A hidden page has no frames.
      const timer = setTimeout(run);
      return () => clearTimeout(timer);
    }
    return afterNextFrame(run);
  },
  random: () => Math.random(),
  isHidden: () => document.hidden,
  // iOS stops a page some seconds after it was hidden, or at once with the whole app.
  sleepsWhenHidden: isAppleMobile,
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

/** Why a stream was closed for good. */
export type CloseReason =
  /** The run has ended and every event has arrived. */
  | "ended"
  /** The follower stopped it. */
  | "stopped"
  /** 401. */
  | "signed_out"
  /** 404: unknown, deleted, or someone else's. */
  | "not_found"
  /** 410: the log has been deleted. */
  | "expired"
  /** Another 4xx, or a stream that stays unreadable: retrying would not help. */
  | "refused";

export type StreamConnection =
  | { readonly state: "connecting" }
  | { readonly state: "open" }
  /** `retryAtMs` is a time of the environment's clock. */
  | { readonly state: "waiting"; readonly retryAtMs: number }
  /** The page has been hidden for a while; following resumes when it is visible again. */
  | { readonly state: "paused" }
  | { readonly state: "closed"; readonly reason: CloseReason };

/** Which run to follow, and whom to call. */
export type RunStreamOptions = {
  /** The run's `events` path. */
  readonly eventsPath: string;
  /** The newest seq received so far; 0 for none. */
  readonly afterSeq: number;
  /** Called with new events in order, at most once per frame; never after `stop` or `closed`. */
  readonly onEvents: (events: readonly NumberedEvent[]) => void;
  /** Called on each change. `closed` is the last. */
  readonly onConnection: (connection: StreamConnection) => void;
  readonly environment?: StreamEnvironment;
  /** How long a stream may be silent before it counts as dead. */
  readonly stallMs?: number;
};

/** Longest delay between two tries, before jitter. */
const MAX_DELAY_MS = 20_000;

/** Longest delay a server can ask for. */
const MAX_RETRY_AFTER_MS = 120_000;

/**
 * Delay before the next try. `failures` counts from 1; `retryMs` comes from the stream's `retry:`; `random` adds up to half
 * of it, so that clients that were cut off together don't come back together.
 */
export const retryDelayMs = (failures: number, retryMs: number, random: number): number =>
  Math.min(MAX_DELAY_MS, retryMs * 2 ** (failures - 1)) * (1 + random / 2);

/** `Retry-After`, in seconds or as a date, converted to ms from now; undefined when it is neither. */
export const retryAfterMs = (header: string | null, nowMs: number): number | undefined => {
  if (header === null || header.trim() === "") return undefined;
  const seconds = Number(header);
  const delayMs = Number.isNaN(seconds) ? Date.parse(header) - nowMs : seconds * 1_000;
  return Number.isNaN(delayMs) ? undefined : Math.min(MAX_RETRY_AFTER_MS, Math.max(0, delayMs));
};

/**
 * Why a stream is refused; undefined when it is worth another try. All answers of our server have an id (api.md §1). A 4xx without one,
 * other than 401, comes from a proxy or a filter, and says nothing about the run.
 */
export const closeReasonOf = ({ status, headers }: Response): CloseReason | undefined => {
  if (status === 204) return "ended";
  if (status === 401) return "signed_out";
  if (!headers.has("X-Request-Id")) return undefined;
  if (status === 404) return "not_found";
  if (status === 410) return "expired";
  return status >= 400 && status < 500 && status !== 408 && status !== 429 ? "refused" : undefined;
};
