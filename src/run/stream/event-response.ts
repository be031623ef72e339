/** Answers a subscription. A refusal has a status and no body: `http/` adds the message. */
import { OwnerEmail } from "../../contract/ids.ts";
import { openDb } from "../../db/db.ts";
import { findLiveLogins } from "../../db/logins.ts";
import type { Env } from "../../env.ts";
import { isEnded } from "../run-state.ts";
import { takeBackEnd } from "../send-notice.ts";
import type { Ledger } from "../store/ledger.ts";
import { STREAM_HEADERS } from "./sse.ts";
import { MAX_SUBSCRIBERS } from "./subscribers.ts";

/** Header of the Worker's request that names the caller. The object cannot be reached from outside. */
export const OWNER_HEADER = "X-Owner-Email";

/** Header of the Worker's request with the parsed cursor. */
export const CURSOR_HEADER = "X-Event-Cursor";

/** Header of the Worker's request with the caller's log-in, if there is one: the stream ends when it is revoked. */
export const LOGIN_HEADER = "X-Login-Id";

/** Header of a client that reconnects whenever its stream ends, as the app does: `true`. The Worker passes it on. */
export const COMES_BACK_HEADER = "X-Comes-Back";

/** Header of the Worker's own requests whose events no person sees, as for an export: `true`. A client's is never passed on. */
export const UNSEEN_HEADER = "X-Unseen";

/**
 * The stream; or 404 for a run that is not the caller's, 410 when its log has expired, 204 when there is nothing left
 * to send, 503 when there are too many subscribers.
 */
export const eventResponse = (ledger: Ledger, request: Request, env: Pick<Env, "DB">): Response => {
  const owner = OwnerEmail.parse(request.headers.get(OWNER_HEADER));
  const record = ledger.runs.findOwned(owner);
  if (record === undefined) return new Response(null, { status: 404 });
  if (record.isPurged) return new Response(null, { status: 410 });
  const cursor = Number(request.headers.get(CURSOR_HEADER) ?? 0);
  const { lastSeq } = ledger.transcript;
  const isOver = isEnded(record.state) && cursor >= lastSeq;
  if (!isOver && ledger.subscribers.count >= MAX_SUBSCRIBERS) return new Response(null, { status: 503 });
  const isUnseen = request.headers.has(UNSEEN_HEADER);
  // Nothing is lost if it fails, and the stream does not wait for it.
  if (!isUnseen) void takeBackEnd(ledger, env).catch(() => {});
  // A native EventSource reconnects whenever a stream ends; only 204 makes it stop.
  if (isOver) return new Response(null, { status: 204 });
  const loginId = request.headers.get(LOGIN_HEADER) ?? undefined;
  const login = loginId && { id: loginId, findLive: (ids: readonly string[]) => findLive(env, ids) };
  const comesBack = request.headers.get(COMES_BACK_HEADER) === "true";
  const client = { login: login || undefined, comesBack, isUnseen };
  const stream = ledger.subscribers.stream(Math.min(cursor, lastSeq), request.signal, client);
  return new Response(stream, { headers: STREAM_HEADERS });
};

const findLive = (env: Pick<Env, "DB">, loginIds: readonly string[]) =>
  findLiveLogins(openDb(env.DB), loginIds, Date.now());
