/**
 * Who may call the workspace server: the Worker, by its token, and no page in a browser. A page can make requests to
 * 127.0.0.1, also under a name of its own that resolves to it, but it cannot leave out the headers looked for here.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** A refusal; `undefined` lets the request in. */
export type Refusal = { readonly status: 401 | 403 | 405; readonly message: string };

/** Decides by the headers alone, before a byte of the body is read. `hosts` are this server's own, such as `127.0.0.1:4000`. */
export const refuseRequest = (
  request: { readonly method?: string | undefined; readonly headers: IncomingHttpHeaders },
  own: { readonly hosts: readonly string[]; readonly token: string },
): Refusal | undefined => {
  const { headers } = request;
  if (headers.host === undefined || !own.hosts.includes(headers.host)) return { status: 403, message: "Unknown host." };
  const isFromBrowser = "origin" in headers || Object.keys(headers).some((name) => name.startsWith("sec-fetch-"));
  if (isFromBrowser) return { status: 403, message: "Browsers are refused." };
  if (request.method !== "POST") return { status: 405, message: "POST only." };
  if (!isEqual(headers.authorization ?? "", `Bearer ${own.token}`)) return { status: 401, message: "Wrong token." };
  return undefined;
};

/** In the same time for every difference: digests have one length, and are compared whole. */
const isEqual = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
