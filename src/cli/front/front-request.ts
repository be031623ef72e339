/**
 * One request to the dev command's listener: refused, or passed on to wrangler, and the response back. A page whose name was rebound to
 * this machine can reach the port too, but its browser sends that name in `Host`.
 */
import { Agent, request as askInner, type IncomingMessage, type ServerResponse } from "node:http";
import { FRONT_HEADER } from "../../contract/local/front-header.ts";
import type { KeptAssets } from "./kept-assets.ts";
import { answeredHeaders, passedHeaders } from "./passed-headers.ts";
import type { RuntimeConnections } from "./runtime-connections.ts";

/** The app's own text for an unknown path. */
const NOT_FOUND_TEXT = "Not found.";

/** A status and its message for the person or program that asked. */
type Refusal = { readonly status: 400 | 403 | 404; readonly message: string };

/** Answers with the refusal. The connection closes: what is left of the request is not read. */
export const answerRefusal = (response: ServerResponse, { status, message }: Refusal): void => {
  if (response.headersSent) return void response.destroy();
  const headers = {
    ...{ "content-type": "application/json", "cache-control": "no-store", connection: "close" },
    "x-request-id": crypto.randomUUID(),
  };
  response.writeHead(status, headers).end(JSON.stringify({ error: message }));
};

/** Wrangler itself answers below these paths: it runs the cron, and reads what the app has stored. */
const WRANGLER_PATHS = ["/cdn-cgi", "/__cf_local"] as const;

/** A request before any of it was interpreted. `url` is its target as sent. */
type RawRequest = { readonly url?: string | undefined; readonly rawHeaders: readonly string[] };

/** Why a request is refused; undefined lets it in. `port` is the one people use. */
export const refuseRequest = ({ url = "", rawHeaders }: RawRequest, port: number): Refusal | undefined => {
  if (!isOwnHost(valuesOf(rawHeaders, "host"))) {
    return { status: 403, message: `This app answers only to this machine. Open http://localhost:${port}.` };
  }
  const path = pathOf(url);
  if (path === undefined) return { status: 400, message: "The request's target is not a path." };
  // With another encoding wrangler answers 500. Browsers do not send one.
  if (valuesOf(rawHeaders, "transfer-encoding").some((value) => value.toLowerCase() !== "chunked")) {
    return { status: 400, message: "Send the body whole or chunked." };
  }
  return WRANGLER_PATHS.some((own) => path === own || path.startsWith(`${own}/`))
    ? { status: 404, message: NOT_FOUND_TEXT }
    : undefined;
};

/** All headers of a name, in lower case: with two of them, one might be checked and the other one used. */
const valuesOf = (rawHeaders: readonly string[], name: string): string[] =>
  rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);

/**
 * A name of this machine with any port, or none: with a forwarded port, as of an editor or a container, the client's port differs. No
 * page from elsewhere can have such a name, and the Worker checks the origin of pages on this machine.
 */
const OWN_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;

const isOwnHost = ([host, ...others]: readonly string[]): boolean =>
  host !== undefined && others.length === 0 && OWN_HOST.test(host) && URL.canParse(`http://${host}`);

/** The path as wrangler reads it, in lower case; undefined for an absolute URL and anything unreadable. */
const pathOf = (target: string): string | undefined => {
  const url = target.startsWith("/") ? `http://localhost${target}` : "";
  return URL.canParse(url) ? new URL(url).pathname.toLowerCase() : undefined;
};

/**
 * How long an idle connection to wrangler is kept, in ms. The runtime closes it after 5 s, and a request sent at that moment would
 * be lost.
 */
const KEPT_MS = 2_000;

/** How much of a refused body is read so that the client's connection stays usable, in bytes, and for how long, in ms. */
const MAX_REST_BYTES = 16_000_000;
const MAX_REST_MS = 10_000;

/** Wrangler's port, and the secret of this start. */
export type Inner = { readonly port: number; readonly secret: string };

/** Connections to wrangler. */
export const innerConnections = (): Agent => new Agent({ keepAlive: true, timeout: KEPT_MS });

/** A request for this costs one statement of D1 at most, and is not logged. */
const CHEAP_PATH = "/_framework/health";

/** What one listener keeps from request to request. */
export type Kept = { readonly agent: Agent; readonly assets: KeptAssets; readonly connections: RuntimeConnections };

/** Answers with wrangler's response. When the client disconnects, its request to wrangler is aborted. */
export const forwardRequest = async (
  request: IncomingMessage,
  response: ServerResponse,
  inner: Inner,
  kept: Kept,
): Promise<void> => {
  if (kept.assets.answer(request, response)) return;
  const send = (): void => {
    if (!response.destroyed) passOn(request, response, inner, kept);
  };
  await kept.connections.sendOnFresh(request.method, send, () => useConnection(inner, kept));
};

/** Sends a request of our own over one connection. */
const useConnection = async ({ port, secret }: Inner, { agent, connections }: Kept): Promise<void> => {
  connections.take();
  const asked = askInner({ host: "127.0.0.1", port, agent, path: CHEAP_PATH, headers: { [FRONT_HEADER]: secret } });
  asked.once("response", (answer) => answer.once("end", connections.giveBack).resume());
  // The request that waits finds out by itself what is wrong.
  asked.on("error", connections.lose).end();
  await new Promise<void>((resolve) => asked.once("close", resolve));
};

const passOn = (
  request: IncomingMessage,
  response: ServerResponse,
  inner: Inner,
  { agent, assets, connections }: Kept,
): void => {
  connections.take();
  const asked = askInner({
    ...{ host: "127.0.0.1", port: inner.port, agent },
    ...{ method: request.method ?? "GET", path: request.url ?? "/" },
    headers: [...passedHeaders(request.rawHeaders, inner.secret), ...lengthOfNone(request)],
  });
  let isAnswered = false;
  asked.once("response", (answer) => {
    // Only the response's own date is sent.
    response.sendDate = false;
    response.writeHead(answer.statusCode ?? 500, answer.statusMessage, answeredHeaders(answer.rawHeaders));
    assets.keep(request, answer);
    answer.pipe(response);
    answer.once("end", () => {
      isAnswered = true;
      // A connection with the rest of a body in it is closed.
      if (request.readableEnded) return connections.giveBack();
      connections.lose();
      takeInRest(request, () => asked.destroy());
    });
    // Wrangler cut it off: the client must not mistake what it has for the whole response.
    answer.once("error", () => response.destroy());
  });
  // Closes the connection without a response, as wrangler itself does: clients then reconnect, while a page's event stream would give up
  // after an error.
  asked.once("error", () => {
    if (!isAnswered) response.destroy();
  });
  response.once("close", () => {
    if (response.writableFinished) return;
    if (!isAnswered) connections.lose();
    asked.destroy();
  });
  // Sent even before the first byte of a body: the request may be refused without it.
  asked.flushHeaders();
  request.pipe(asked);
};

/** A POST without a body may have no header about it. Node would then send an empty one in chunks, and the Worker ask for its type. */
const lengthOfNone = ({ method, headers }: IncomingMessage): string[] => {
  const mayHaveBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  return mayHaveBody || method === "GET" || method === "HEAD" ? [] : ["content-length", "0"];
};

/** Reads the rest of a body whose request has been answered, within bounds; beyond them the connection is closed. */
const takeInRest = (request: IncomingMessage, leaveInner: () => void): void => {
  request.unpipe();
  leaveInner();
  let left = MAX_REST_BYTES;
  const timer = setTimeout(() => request.destroy(), MAX_REST_MS);
  request.once("close", () => clearTimeout(timer));
  request.once("end", () => clearTimeout(timer));
  request.on("data", (chunk: Buffer) => {
    left -= chunk.byteLength;
    if (left < 0) request.destroy();
  });
  // The pipe has paused it.
  request.resume();
};
