/**
 * Passes an event stream on byte by byte: hundreds of people may look on, and each frame need not be read
 * as HTTP once more. The connection ends with the stream.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Inner } from "./forward-request.ts";
import { passedHeaders } from "./passed-headers.ts";

const EVENTS = /^\/_framework\/runs\/[^/?]+\/events(\?|$)/;

const HEAD_END = Buffer.from("\r\n\r\n");

/** Longest head of an answer, in bytes: the app's own are under 2 KB. */
const MAX_HEAD_BYTES = 64_000;

/** Whether a request asks for events, and has its connection for itself: an answer to an earlier one is not under way. */
export const isForStream = (request: IncomingMessage, response: ServerResponse): boolean =>
  request.method === "GET" &&
  EVENTS.test(request.url ?? "") &&
  response.socket === request.socket &&
  request.headers["content-length"] === undefined &&
  request.headers["transfer-encoding"] === undefined;

/** Writes wrangler's answer to the client's connection as it comes. A client that leaves ends the stream at the source. */
export const forwardStream = (request: IncomingMessage, inner: Inner): void => {
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
  source.once("close", () => client.destroySoon());
  client.once("close", () => source.destroy());
};

const headOf = ({ url, rawHeaders }: IncomingMessage, secret: string): string => {
  const headers = passedHeaders(rawHeaders, secret);
  const lines = headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}\r\n`] : []));
  return `GET ${url} HTTP/1.1\r\n${lines.join("")}Connection: close\r\n\r\n`;
};

/** The head of an answer, without its end, that says that the connection closes behind it. */
const closing = (head: string): string => `${head.replace(/\r\nconnection:[^\r]*/i, "")}\r\nConnection: close`;
