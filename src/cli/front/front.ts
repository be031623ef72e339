/**
 * The listener of `npm run dev`, in front of wrangler. Wrangler trusts the client about the address of the request, and answers
 * requests below `/cdn-cgi` itself; so a page on a name that was rebound to this machine could act as the developer. Here each
 * request is checked as it was sent, and what is passed on carries a secret without which the Worker answers nobody.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { StartRefusal } from "../../process/run-program.ts";
import {
  answerRefusal,
  forwardRequest,
  type Inner,
  innerConnections,
  type Kept,
  refuseRequest,
} from "./front-request.ts";
import { keptAssets } from "./kept-assets.ts";
import { passedHeaders } from "./passed-headers.ts";
import { runtimeConnections } from "./runtime-connections.ts";

const EVENTS = /^\/_framework\/runs\/[^/?]+\/events(\?|$)/;

const HEAD_END = Buffer.from("\r\n\r\n");

/** Longest head of a response, in bytes: the app's own are under 2 KB. */
const MAX_HEAD_BYTES = 64_000;

/**
 * Whether a request asks for events and has its connection for itself, with no earlier response under way. Such a stream is passed
 * on byte by byte: hundreds of people may be watching, and parsing each frame as HTTP again would be wasted.
 */
const isForStream = (request: IncomingMessage, response: ServerResponse): boolean =>
  request.method === "GET" &&
  EVENTS.test(request.url ?? "") &&
  response.socket === request.socket &&
  request.headers["content-length"] === undefined &&
  request.headers["transfer-encoding"] === undefined;

/** Writes wrangler's response to the client's connection as it arrives. A client that disconnects ends the stream at the source. */
const forwardStream = (request: IncomingMessage, inner: Inner, { connections }: Kept): void => {
  connections.take();
  const client = request.socket;
  const source = connect({ host: "127.0.0.1", port: inner.port, noDelay: true });
  source.write(headOf(request, inner.secret), "latin1");
  let head = Buffer.alloc(0);
  const readHead = (chunk: Buffer): void => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf(HEAD_END);
    if (end < 0 && head.byteLength <= MAX_HEAD_BYTES) return;
    source.off("data", readHead);
    client.write(closing(head.subarray(0, Math.max(end, 0)).toString("latin1")), "latin1");
    client.write(head.subarray(Math.max(end, 0)));
    source.pipe(client);
  };
  source.on("data", readHead);
  source.once("error", () => source.destroy());
  source.once("close", () => {
    // Only wrangler knows whether the stream had ended before its client left.
    if (client.destroyed) connections.lose();
    else connections.giveBack();
    client.destroySoon();
  });
  client.once("close", () => source.destroy());
};

const headOf = ({ url, rawHeaders }: IncomingMessage, secret: string): string => {
  const headers = passedHeaders(rawHeaders, secret);
  const lines = headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}\r\n`] : []));
  return `GET ${url} HTTP/1.1\r\n${lines.join("")}Connection: close\r\n\r\n`;
};

/** The head of a response, without its end, changed to say that the connection closes afterwards. */
const closing = (head: string): string => `${head.replace(/\r\nconnection:[^\r]*/i, "")}\r\nConnection: close`;

/** A listener on the port people use. */
type Front = {
  /** From now on requests are passed on to wrangler. Earlier ones have been waiting for it. */
  open(): void;
  /** Notes that wrangler has answered a request that did not come through here. */
  passedBy(): void;
  /** Ends all connections. When it resolves, the port is free. */
  close(): Promise<void>;
};

/** Listens on both addresses of `localhost`: another program on the second one would get a browser's requests. */
export const startFront = async (port: number, inner: Inner): Promise<Front> => {
  const kept: Kept = { agent: innerConnections(), assets: keptAssets(), connections: runtimeConnections() };
  const opened = Promise.withResolvers<void>();
  let isOpen = false;
  const forward: RequestListener = (request, response) => {
    if (isForStream(request, response)) forwardStream(request, inner, kept);
    else void forwardRequest(request, response, inner, kept);
  };
  const answer: RequestListener = (request, response) => {
    const refusal = refuseRequest(request, port);
    if (refusal !== undefined) answerRefusal(response, refusal);
    else if (isOpen) forward(request, response);
    else void opened.promise.then(() => response.destroyed || forward(request, response));
  };
  const servers = [await listen(answer, port, "127.0.0.1"), await listen(answer, port, "::1").catch(() => undefined)];
  return {
    passedBy: kept.connections.lose,
    open: () => {
      // Until now this command has asked wrangler directly whether it is ready.
      kept.connections.lose();
      isOpen = true;
      opened.resolve();
    },
    close: async () => {
      await Promise.all(servers.map((server) => server && closeServer(server)));
      kept.agent.destroy();
    },
  };
};

const listen = async (answer: RequestListener, port: number, host: string): Promise<Server> => {
  const server = createServer(answer);
  // How long a body may take is up to the Worker.
  server.requestTimeout = 0;
  server.listen({ port, host, exclusive: true });
  try {
    await once(server, "listening");
  } catch {
    throw new StartRefusal(`Port ${port} is in use. Stop what listens there, or pass another --port N.`);
  }
  return server;
};

const closeServer = async (server: Server): Promise<void> => {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
};
