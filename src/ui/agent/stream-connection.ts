/** How a run's stream stands, for the person who waits for it, and when it is asked for again. */

/** Why nothing more comes. */
export type CloseReason =
  /** The run has ended and all of it is here. */
  | "ended"
  /** Whoever followed it asked for that. */
  | "stopped"
  /** 401. */
  | "signed_out"
  /** 404: unknown, deleted, or someone else's. */
  | "not_found"
  /** 410: the log is no longer kept. */
  | "expired"
  /** Another 4xx, or a stream that stays unreadable: asking again would not help. */
  | "refused";

/** State of the connection. */
export type StreamConnection =
  | { readonly state: "connecting" }
  | { readonly state: "open" }
  /** `retryAtMs` is by the environment's clock. */
  | { readonly state: "waiting"; readonly retryAtMs: number }
  /** The page is hidden; it goes on by itself when it is seen again. */
  | { readonly state: "paused" }
  | { readonly state: "closed"; readonly reason: CloseReason };

/** Longest pause between two tries, before jitter. */
const MAX_DELAY_MS = 20_000;

/** Longest pause a server can ask for. */
const MAX_RETRY_AFTER_MS = 120_000;

/**
 * Pause before the next try. `failures` counts from 1; `retryMs` is what the stream's `retry:` asks for; `random` adds up
 * to half, so that clients that were cut off together don't come back together.
 */
export const retryDelayMs = (failures: number, retryMs: number, random: number): number =>
  Math.min(MAX_DELAY_MS, retryMs * 2 ** (failures - 1)) * (1 + random / 2);

/** `Retry-After`, which is seconds or a date, as ms from now; undefined when it is neither. */
export const retryAfterMs = (header: string | null, nowMs: number): number | undefined => {
  if (header === null || header.trim() === "") return undefined;
  const seconds = Number(header);
  const delayMs = Number.isNaN(seconds) ? Date.parse(header) - nowMs : seconds * 1_000;
  return Number.isNaN(delayMs) ? undefined : Math.min(MAX_RETRY_AFTER_MS, Math.max(0, delayMs));
};

/** What a refused stream means; undefined when it is worth another try. */
export const closeReasonOf = (status: number): CloseReason | undefined => {
  if (status === 204) return "ended";
  if (status === 401) return "signed_out";
  if (status === 404) return "not_found";
  if (status === 410) return "expired";
  return status >= 400 && status < 500 && status !== 408 && status !== 429 ? "refused" : undefined;
};
