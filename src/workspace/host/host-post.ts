/** One call of the workspace server, with its token and the protocol's number. */
import { WorkspaceError } from "../workspace.ts";
import { addressOf, cutOff, foreign, reached, UNREACHABLE, unreadable } from "./host-answer.ts";
import { HostRefusal, PROTOCOL, PROTOCOL_HEADER, protocolProblem } from "./host-wire.ts";

/** Where the server is. `token` is a secret: it grants access to the person's directory. */
export type HostAddress = { readonly url: string; readonly token: string };

/** `fetch`, or a replacement when the platform's own adds browser headers. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Makes a call: its name, with the query if it has one, and its body. Resolves with the answer, if its status is 200.
 *
 * @throws {WorkspaceError} the server's refusal, or `unavailable`.
 */
export type PostToHost = (
  call: string,
  body: string | Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
) => Promise<Response>;

/** The calls of one server. Redirects are not followed: the token is for this server only. */
export const postToHost =
  ({ url, token }: HostAddress, fetchWith: Fetch = (to, init) => fetch(to, init)): PostToHost =>
  async (call, body, signal) => {
    const headers = { authorization: `Bearer ${token}`, [PROTOCOL_HEADER]: String(PROTOCOL) };
    const init = { method: "POST", redirect: "manual" as const, headers, body, signal };
    const response = await reached(fetchWith(`${addressOf(url)}/${call}`, init));
    const theirs = response.headers.get(PROTOCOL_HEADER);
    // A server tells its number only to callers that it lets in, and a proxy in front of it has none.
    const mismatch =
      theirs === null && response.status !== 200 ? undefined : protocolProblem(theirs, "the workspace server");
    if (mismatch !== undefined) throw new WorkspaceError("unavailable", mismatch);
    if (response.status === 200) return response;
    // A tunnel answers like this, with a page of its own, while nothing is behind it.
    if (theirs === null && response.status >= 500) throw cutOff();
    const refusal = HostRefusal.safeParse(await response.json().catch(() => undefined));
    if (!refusal.success) throw theirs === null ? foreign(response.status) : unreadable(refusal.error);
    if (response.status === 401) throw new WorkspaceError("unavailable", UNREACHABLE.wrongToken);
    if (response.status === 403) throw new WorkspaceError("unavailable", UNREACHABLE.unknownHost);
    const { error } = refusal.data;
    throw new WorkspaceError(error.code, error.message);
  };
