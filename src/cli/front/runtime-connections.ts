/**
 * Keeps a request that nobody repeats off a connection that is closing. Wrangler's proxy and the app's runtime both close the
 * connections between them that were idle for 5 s. A request sent at that moment is lost and answered with 500
 * (https://github.com/cloudflare/workers-sdk/issues/14641). The proxy repeats a lost GET or HEAD, and nothing else.
 */

/** How long a connection is safe to use after its last response, in ms: 4 s before it is closed, since a busy machine is late. */
const FRESH_MS = 1_000;

/**
 * How long a connection may exist that is not known here, in ms, after a request that was cut off or did not come through the listener. It
 * is closed after 5 s, by processes that may be late by as much.
 */
const UNKNOWN_MS = 10_000;

/** Most connections made fresh for one request: others may take each of them first. */
const MAX_TRIES = 3;

/** Methods that wrangler's proxy repeats. */
const REPEATED: ReadonlySet<string | undefined> = new Set(["GET", "HEAD"]);

/** The idle connections between the two, as far as what was passed on tells. */
export type RuntimeConnections = {
  /** A request is sent. It takes the connection that became idle last, or a new one. */
  take(): void;
  /** A response has ended, and its connection is idle. */
  giveBack(): void;
  /** A request was cut off, or did not come through here: whether its connection is idle now is not known. */
  lose(): void;
  /**
   * Calls `send` for a request with this method, which takes a connection, as soon as that would be a fresh one. `useOne` sends a
   * GET, and resolves when its response has ended.
   */
  sendOnFresh(method: string | undefined, send: () => void, useOne: () => Promise<void>): Promise<void>;
};

/** `nowMs` is a clock that only goes forward. */
export const runtimeConnections = (nowMs = () => performance.now()): RuntimeConnections => {
  // When each became idle, oldest first.
  const idleSinceMs: number[] = [];
  let unknownUntilMs = Number.NEGATIVE_INFINITY;
  const isNextFresh = (): boolean => {
    const sinceMs = idleSinceMs.at(-1);
    // The newest that is known is the next to be used, or has been idle at least as long as an unknown one that is.
    return sinceMs === undefined ? nowMs() >= unknownUntilMs : nowMs() - sinceMs < FRESH_MS;
  };
  return {
    take: () => void idleSinceMs.pop(),
    giveBack: () => void idleSinceMs.push(nowMs()),
    lose: () => {
      unknownUntilMs = nowMs() + UNKNOWN_MS;
    },
    sendOnFresh: async (method, send, useOne) => {
      for (let tries = 0; tries < MAX_TRIES && !REPEATED.has(method) && !isNextFresh(); tries += 1) await useOne();
      // Without an await since the last look: nobody else can take it in between.
      send();
    },
  };
};
