/** The headers that are passed between the client and wrangler. */
import { FRONT_HEADER } from "../../contract/local/front-header.ts";

/** Headers about one connection, since there are two here. `expect` is among them because the listener itself asks for a body's bytes. */
const OF_ONE_CONNECTION: ReadonlySet<string> = new Set([
  ...["connection", "keep-alive", "proxy-connection", "te", "trailer", "upgrade", "expect"],
]);

/** Wrangler interprets these: `MF-Original-URL` becomes the address that the Worker sees. */
const OF_WRANGLER = "mf-";

/** Alternating names and values, as they arrived, with the secret by which the Worker recognizes the listener. */
export const passedHeaders = (rawHeaders: readonly string[], secret: string): string[] => [
  ...without(
    rawHeaders,
    (name) => OF_ONE_CONNECTION.has(name) || name.startsWith(OF_WRANGLER) || name === FRONT_HEADER,
  ),
  ...[FRONT_HEADER, secret],
];

/** The headers of a response that are passed back to the client. Its body gets new chunks. */
export const answeredHeaders = (rawHeaders: readonly string[]): string[] =>
  without(rawHeaders, (name) => OF_ONE_CONNECTION.has(name) || name === "transfer-encoding");

/** Alternating names and values, without the names for which `isDropped` is true, given in lower case. */
const without = (rawHeaders: readonly string[], isDropped: (name: string) => boolean): string[] => {
  const kept: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = "", value = ""] = rawHeaders.slice(index, index + 2);
    if (!isDropped(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
};
