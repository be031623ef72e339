/** Passes a request on to wrangler, and the answer back. */
import { Agent, request as askInner, type IncomingMessage, type ServerResponse } from "node:http";
import { answeredHeaders, passedHeaders } from "./passed-headers.ts";

/**
 * How long a connection to wrangler is kept for the next request, in ms. The runtime closes one after 5 s: a request that
 * was sent on it at that moment would be lost.
 */
const KEPT_MS = 2_000;

/** Most of a refused body that is taken in so that the client's connection stays usable, in bytes, and for how long, in ms. */
const MAX_REST_BYTES = 16_000_000;
const MAX_REST_MS = 10_000;

/** Where wrangler listens, and the secret of this start. */
export type Inner = { readonly port: number; readonly secret: string };

/** Connections to wrangler. */
export const innerConnections = (): Agent => new Agent({ keepAlive: true, timeout: KEPT_MS });

/** Answers with what wrangler answers. A client that leaves ends what was asked for it. */
export const forwardRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  inner: Inner,
  agent: Agent,
): void => {
  const asked = askInner({
    ...{ host: "127.0.0.1", port: inner.port, agent },
    ...{ method: request.method ?? "GET", path: request.url ?? "/" },
    headers: passedHeaders(request.rawHeaders, inner.secret),
  });
  let isAnswered = false;
  asked.once("response", (answer) => {
    // The answer's own date stays the only one.
    response.sendDate = false;
    response.writeHead(answer.statusCode ?? 500, answer.statusMessage, answeredHeaders(answer.rawHeaders));
    answer.pipe(response);
    answer.once("end", () => {
      isAnswered = true;
      if (!request.readableEnded) takeInRest(request, () => asked.destroy());
    });
    // Cut off by wrangler: the client must not take what it has for the whole.
    answer.once("error", () => response.destroy());
  });
  // Without an answer, as wrangler itself does it: whoever asked connects again, which a page's event stream does after no error.
  asked.once("error", () => {
    if (!isAnswered) response.destroy();
  });
  response.once("close", () => {
    if (!response.writableFinished) asked.destroy();
  });
  // Also before the first byte of a body: it may be refused without one.
  asked.flushHeaders();
  request.pipe(asked);
};

/** Takes in what is left of a body whose request is answered, within bounds; beyond them the connection goes. */
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
  // Its pipe has stopped it.
  request.resume();
};
