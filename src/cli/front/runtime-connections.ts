/**
 * Keeps a request that nobody repeats off a connection that is closing. Wrangler's proxy and the app's runtime both close the
 * connections between them that were idle for 5 s. A request sent at that moment is lost and answered with 500
 * (https://github.com/cloudflare/workers-sdk/issues/14641). The proxy repeats a lost GET or HEAD, and nothing else.
 */

/** How long a connection is safe to use after its last response, in ms: 4 s before it is closed, since a busy machine is late. */
const FRESH_MS = 1_000;

/** When an idle connection is gone for certain, in ms: it is closed after 5 s, by processes that may be late by as much. */
const GONE_MS = 10_000;

/**
 * How many idle connections have to be fresh when such a request is sent. The proxy reads requests that were sent together in an order of
 * its own, so later requests may take their connections first: what a page that loads asks for at once, and a request or two beside it.
 */
const FRESH_CONNECTIONS = 8;

/** How often one request tries to get fresh connections: other requests may take each of them first. */
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
   * Calls `send` for a request with this method, which takes a connection, as soon as the next few idle ones are fresh. `useOne` sends
   * a GET, and resolves when its response has ended.
   */
  sendOnFresh(method: string | undefined, send: () => void, useOne: () => Promise<void>): Promise<void>;
};

/** `nowMs` is a clock that only goes forward. */
export const runtimeConnections = (nowMs = () => performance.now()): RuntimeConnections => {
  // When each became idle, oldest first.
  const idleSinceMs: number[] = [];
  let unknownUntilMs = Number.NEGATIVE_INFINITY;
  /** How many requests make the next connections fresh. Each request takes the newest connection, so either all are needed or none. */
  const neededUses = (): number => {
    const next = idleSinceMs.filter((sinceMs) => nowMs() - sinceMs < GONE_MS).slice(-FRESH_CONNECTIONS);
    // An unknown one may be anywhere among them, or behind the ones that are known.
    if (nowMs() < unknownUntilMs && next.length < FRESH_CONNECTIONS) return FRESH_CONNECTIONS;
    return next.some((sinceMs) => nowMs() - sinceMs >= FRESH_MS) ? next.length : 0;
  };
  return {
    take: () => void idleSinceMs.pop(),
    giveBack: () => void idleSinceMs.push(nowMs()),
    lose: () => {
      unknownUntilMs = nowMs() + GONE_MS;
    },
    sendOnFresh: async (method, send, useOne) => {
      for (let tries = 0; tries < MAX_TRIES && !REPEATED.has(method) && neededUses() > 0; tries += 1) {
        await Promise.all(Array.from({ length: neededUses() }, useOne));
      }
      // Without an await since the last look, so no other request can take the connection in between.
      send();
    },
  };
};
