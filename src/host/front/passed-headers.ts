/** The headers of a request that go on to wrangler. */
import { FRONT_HEADER } from "../../contract/front-header.ts";

/** About one connection, of which there are two; and the bytes of a body are asked for by the listener itself. */
const OF_ONE_CONNECTION: ReadonlySet<string> = new Set([
  ...["connection", "keep-alive", "proxy-connection", "te", "trailer", "upgrade", "expect"],
]);

/** Wrangler takes these for its own: `MF-Original-URL` becomes the address that the Worker sees. */
const OF_WRANGLER = "mf-";

/** Names and values in turns, as they came, with the secret by which the Worker knows the listener. */
export const passedHeaders = (rawHeaders: readonly string[], secret: string): string[] => [
  ...without(
    rawHeaders,
    (name) => OF_ONE_CONNECTION.has(name) || name.startsWith(OF_WRANGLER) || name === FRONT_HEADER,
  ),
  ...[FRONT_HEADER, secret],
];

/** The headers of an answer that go back to the client. Chunks of its body are framed anew. */
export const answeredHeaders = (rawHeaders: readonly string[]): string[] =>
  without(rawHeaders, (name) => OF_ONE_CONNECTION.has(name) || name === "transfer-encoding");

/** Names and values in turns, without the names, in lower case, that `isDropped` holds for. */
const without = (rawHeaders: readonly string[], isDropped: (name: string) => boolean): string[] => {
  const kept: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    if (!isDropped(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
};
