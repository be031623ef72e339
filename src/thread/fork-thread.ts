/**
 * Branches a thread: a new one with a copy of the conversation up to a run. The copy is made in parts and shown when it is whole; one
 * that was cut off goes on when the request is repeated under its key. The transcripts of the runs are shared, and go with the last
 * thread that lists them.
 */
import * as z from "zod";
import { AppError } from "../contract/app-error.ts";
import { contentHash } from "../contract/digest.ts";
import { type HarnessSessionId, type OwnerEmail, type RunId, ThreadId } from "../contract/ids.ts";
import { parseJson } from "../contract/parse-json.ts";
import { claimFork, dropFork, showFork } from "../db/branches/fork-rows.ts";
import { type Db, openDb } from "../db/db.ts";
import { findAnswer } from "../db/idempotency.ts";
import { MAX_THREADS_PER_OWNER } from "../db/start-conditions.ts";
import type { Env } from "../env.ts";
import { findHarness } from "../harness/registry.ts";
import { reach } from "../objects/reach.ts";
import { purgeSession } from "../run/host/purge-session.ts";
import { searchOf } from "../search/search-rpc.ts";
import type { SessionRpc } from "../session/session-wire.ts";
import { assertOver, findBranchable } from "./rewind-thread.ts";

/** Text of the 409. The limit is that of `db/start-conditions`. */
const TOO_MANY_THREADS = `You have ${MAX_THREADS_PER_OWNER.toLocaleString("en")} chats, the limit. Delete some first.`;

/** Text of the 409 for a thread with two harnesses: each has a conversation of its own, and a branch has one. */
const TWO_AGENTS = "This chat was had with two agents and cannot be branched. Go back in it, or begin a new chat.";

/** What is stored under the key of a request. */
const Claimed = z.object({ threadId: ThreadId, forkSessionId: z.string() });

type Claim = z.infer<typeof Claimed>;

/**
 * The id of the new thread. `refuse` is called once the request is known to be valid.
 *
 * @throws {AppError} 404 when the owner has no such thread, or the thread no such run; 409 while one of its runs is not over, when it
 * was had with two agents, or for one thread too many; 422 for a key used with a different request; what `refuse` returns; 503 when an
 * object cannot be reached.
 */
export const forkThread = async (
  env: Env,
  request: {
    readonly ownerEmail: OwnerEmail;
    readonly threadId: ThreadId;
    readonly beforeRunId: RunId;
    readonly key: string | undefined;
  },
  refuse: () => Promise<AppError | undefined>,
): Promise<ThreadId> => {
  const { ownerEmail, threadId, beforeRunId } = request;
  const db = openDb(env.DB);
  const key = request.key ?? crypto.randomUUID();
  const requestHash = await contentHash(["fork", threadId, beforeRunId]);
  const known = await findClaim(db, ownerEmail, key, requestHash);
  const found = await findBranchable(db, ownerEmail, threadId, beforeRunId);
  const { sessionId: fromSessionId, harness, runs } = found;
  if (found.isShared) throw new AppError(409, TWO_AGENTS);
  if (known === undefined) {
    await assertOver(env, db, runs);
    const refusal = await refuse();
    if (refusal !== undefined) throw refusal;
  }
  const nowMs = Date.now();
  const from = { ownerEmail, from: threadId, fromSessionId, nowMs };
  const wanted: Claim = known ?? { threadId: ThreadId.parse(crypto.randomUUID()), forkSessionId: crypto.randomUUID() };
  const fork = { ...from, threadId: wanted.threadId, sessionId: wanted.forkSessionId };
  const runIds = runs.flatMap(({ runId, isBefore, isReplaced }) => (isBefore && !isReplaced ? [runId] : []));
  if (known === undefined) await claimFork(db, fork, { key, requestHash, hasTurns: runIds.length > 0 });
  // Of two requests under one key the first has the answer.
  const claimed = (await findClaim(db, ownerEmail, key, requestHash)) ?? wanted;
  const mine = { ...fork, threadId: claimed.threadId, sessionId: claimed.forkSessionId };
  const isCopied =
    runIds.length === 0 || (await copyConversation(env, { harness, from: fromSessionId, to: mine.sessionId, runIds }));
  if (isCopied && (await showFork(db, mine, runIds))) {
    const { stub } = await searchOf(env.SEARCH, ownerEmail);
    await reach(async () => await stub.branch({ from: threadId, to: claimed.threadId, runIds }));
    return claimed.threadId;
  }
  // Nothing can show the copy: it is removed.
  if (runIds.length > 0) await purgeSession(env, db, mine.sessionId);
  await dropFork(db, mine);
  await findBranchable(db, ownerEmail, threadId, beforeRunId);
  throw new AppError(409, TOO_MANY_THREADS);
};

/** The answer under a key. @throws {AppError} 422 when it is to another request. */
const findClaim = async (
  db: Db,
  ownerEmail: OwnerEmail,
  key: string,
  requestHash: string,
): Promise<Claim | undefined> => {
  const answer = await findAnswer(db, { ownerEmail, scope: "turn", key }, Date.now());
  if (answer === undefined) return undefined;
  if (answer.requestHash !== requestHash) {
    throw new AppError(422, "Idempotency key was used with a different request.");
  }
  return Claimed.parse(parseJson(answer.response));
};

type Copying = {
  readonly harness: string;
  readonly from: HarnessSessionId;
  readonly to: string;
  readonly runIds: readonly string[];
};

/** Copies part by part, from where an earlier try has ended. False: one of both sessions was deleted. */
const copyConversation = async (env: Env, { harness, from, to, runIds }: Copying): Promise<boolean> => {
  const target = () => env.SESSIONS.getByName(to);
  let newest = await reach(async () => await target().takeForkPart({ blocks: [], rest: undefined }));
  await copyFile(env, from, to);
  for (;;) {
    if (newest === undefined) return false;
    const after = newest;
    const part = await reach(async () => await env.SESSIONS.getByName(from).forkPart(runIds, after));
    if (part === undefined) return false;
    newest = await reach(async () => await target().takeForkPart(named(part, harness)));
    if (part.rest !== undefined) return newest !== undefined;
  }
};

/** The copy of the file that the harness keeps on a person's machine, if it has one. It is whole: where the branch begins in it is in the rows. */
const copyFile = async (env: Env, from: HarnessSessionId, to: string): Promise<void> => {
  for (let offset = 0; ; ) {
    const at = offset;
    const { piece } = await reach(async () => await env.SESSIONS.getByName(from).copied(at));
    if (piece === undefined) return;
    // A piece that is not taken is there already, or the other session was deleted.
    if (!(await reach(async () => await env.SESSIONS.getByName(to).takeCopy(piece)))) return;
    offset = piece.offset + piece.bytes.byteLength;
  }
};

type ForkPart = NonNullable<ReturnType<SessionRpc["forkPart"]>>;

/** With the branch's own name for what its harness keeps elsewhere. */
const named = (part: ForkPart, harness: string): ForkPart => {
  if (part.rest === undefined || part.rest.facts === null) return part;
  const { facts, ...rest } = part.rest;
  return { ...part, rest: { ...rest, facts: findHarness(harness)?.branchFacts?.(facts) ?? facts } };
};
