/** A connection that tests can break: a real HTTP proxy before the site. `context.setOffline` leaves open streams open. */
import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";

/** The link and its switches. `part` is any part of path and query; all requests when it is left out. */
export type WeakLink = {
  /** The site through this link; give it to `phone(path, { at })`. */
  readonly url: string;
  /** `GET /path?query` of every request so far, oldest first, also of those that were refused. */
  readonly requests: readonly string[];
  /** Breaks what is under way, streams in mid-frame among it; returns how many that were. New requests pass. */
  cut(part?: string): number;
  /** Breaks everything and refuses what comes, until `goUp`. */
  goDown(): void;
  goUp(): void;
  /** Keeps requests waiting, to look at a screen that is loading; call the result to release them. */
  hold(part?: string): () => void;
  close(): Promise<void>;
};

/** A connection for each request: the site closes those that rest, and a request that is on its way then would be lost. */
const FRESH = new Agent({ keepAlive: false });

/** Starts a link to the site at `siteUrl` on a free port. */
export const startWeakLink = async (siteUrl: string): Promise<WeakLink> => {
  const upstream = new URL(siteUrl);
  const underWay = new Map<ServerResponse, string>();
  const holds = new Map<string, Promise<void>>();
  const requests: string[] = [];
  let isDown = false;

  const pass = (incoming: IncomingMessage, response: ServerResponse): void => {
    const { method, headers } = incoming;
    const target = { agent: FRESH, host: upstream.hostname, port: upstream.port, method, path: incoming.url, headers };
    const outgoing = request(target, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      response.flushHeaders();
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    });
    outgoing.on("error", () => response.destroy());
    response.on("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  };

  const server = createServer((incoming, response) => {
    const path = incoming.url ?? "/";
    requests.push(`${incoming.method} ${path}`);
    if (isDown) return void response.destroy();
    underWay.set(response, path);
    response.on("close", () => underWay.delete(response));
    const held = [...holds].filter(([part]) => path.includes(part)).map(([, released]) => released);
    void Promise.all(held).then(() => response.destroyed || pass(incoming, response));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A TCP server has a port.");

  const cut = (part = ""): number => {
    const doomed = [...underWay].filter(([, path]) => path.includes(part));
    for (const [response] of doomed) response.destroy();
    return doomed.length;
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    cut,
    goDown: () => {
      isDown = true;
      cut();
    },
    goUp: () => {
      isDown = false;
    },
    hold: (part = "") => {
      const { promise, resolve } = Promise.withResolvers<void>();
      holds.set(part, promise);
      return () => {
        holds.delete(part);
        resolve();
      };
    },
    close: async () => {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
};
