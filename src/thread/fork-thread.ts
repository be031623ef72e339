/**
 * Branches a thread: a new one with a copy of the conversation up to a run. The copy is made in parts and shown when it is whole; a copy
 * that was cut off goes on when the request is repeated under its key. The transcripts of the runs are shared, and are deleted with the
 * last thread that lists them.
 */
import * as z from "zod";
import { AppError, otherRequest } from "../contract/app-error.ts";
import { contentHash } from "../contract/digest.ts";
import { type HarnessSessionId, type OwnerEmail, ThreadId } from "../contract/ids.ts";
import { parseJson } from "../contract/parse-json.ts";
import { groupDigits } from "../contract/plain-text.ts";
import {
  claimFork,
  type Fork,
  type InheritedRuns,
  isForkShown,
  limitOfFork,
  MAX_INHERITED_TURNS,
  showFork,
} from "../db/branches/fork-rows.ts";
import { listSessionsOf, type ThreadRun, type ThreadSession } from "../db/branches/run-marks.ts";
import { type Db, openDb } from "../db/db.ts";
import { findAnswer } from "../db/idempotency.ts";
import type { Env } from "../env.ts";
import { findHarness, loadHarness } from "../harness/registry.ts";
import { reach } from "../objects/reach.ts";
import { searchOf } from "../search/search-rpc.ts";
import type { SessionRpc } from "../session/session-wire.ts";
import { dropBranch } from "./drop-branch.ts";
import { assertOver, findBranchable, handOverAll, threadIsBusy } from "./rewind-thread.ts";
import { tooManyThreads } from "./threads.ts";

const noPlace = (limit: "turns" | "threads"): AppError =>
  limit === "turns"
    ? new AppError(
        409,
        `Your branches would repeat more than ${groupDigits(MAX_INHERITED_TURNS)} turns, the limit. Delete some branches, or branch before an earlier turn.`,
      )
    : tooManyThreads();

/** What is stored under the key of a request. `turnsHash` is missing in a claim of an earlier release. */
const Claimed = z.object({ threadId: ThreadId, turnsHash: z.string().optional() });

/**
 * The id of the new thread. `refuse` is called once the request is known to be valid.
 *
 * @throws {AppError} 404 when the owner has no such thread, or the thread no such run; 409 while one of its runs is not over, or it is
 * being summarized or gone back in, for one thread too many, or for more turns in branches than are allowed; 422 for a key used with a
 * different request; what `refuse` returns; 503 when an object cannot be reached.
 */
export const forkThread = async (
  env: Env,
  request: {
    readonly ownerEmail: OwnerEmail;
    readonly threadId: ThreadId;
    readonly beforeRunId: string;
    readonly key: string | undefined;
  },
  refuse: () => Promise<AppError | undefined>,
): Promise<ThreadId> => {
  const { ownerEmail, threadId, beforeRunId } = request;
  const db = openDb(env.DB);
  const key = request.key ?? crypto.randomUUID();
  const requestHash = await contentHash(["fork", threadId, beforeRunId]);
  const findClaimed = () => findClaim(db, ownerEmail, key, requestHash);
  const known = await findClaimed();
  // The branch stays as it is, whatever has happened to its original since.
  if (known && (await isForkShown(db, ownerEmail, known.threadId))) return known.threadId;
  const { queueSessionId, sessions, runs } = await findBranchable(db, ownerEmail, threadId, beforeRunId);
  if (known === null) throw otherRequest();
  // Runs of an earlier thread under the same id, which is being deleted, are in none of this one's sessions.
  const isThere = (run: ThreadRun) => sessions.some(({ sessionId }) => sessionId === run.sessionId);
  const inherited = runs.filter((run) => run.isBefore && !run.isReplaced && isThere(run));
  if (known === undefined) {
    await assertOver(env, db, runs);
    await handOverAll(env, queueSessionId);
    const limit = await limitOfFork(db, ownerEmail, inherited.length);
    if (limit !== null) throw noPlace(limit);
    const refusal = await refuse();
    if (refusal !== undefined) throw refusal;
  }
  const turnsHash = await contentHash(inherited.map(({ runId }) => runId));
  const wanted = known?.threadId ?? ThreadId.parse(crypto.randomUUID());
  const fork: Fork = { ownerEmail, from: threadId, threadId: wanted, nowMs: Date.now() };
  if (known === undefined) {
    const copied = sessions.filter(({ sessionId }) => inherited.some((run) => run.sessionId === sessionId));
    const pairs = copied.map(({ sessionId }) => ({ from: sessionId, to: crypto.randomUUID() }));
    await claimFork(db, fork, { key, requestHash, turnsHash, sessions: pairs });
  }
  // Of two requests under one key, the claim of the first counts.
  const claimed = await findClaimed();
  if (claimed === null) throw otherRequest();
  const mine = { ...fork, threadId: claimed?.threadId ?? wanted };
  const copies = copiesOf(sessions, await listSessionsOf(db, ownerEmail, mine.threadId), inherited);
  const fromSessionIds = sessions.map(({ sessionId }) => sessionId);
  // Once somebody has gone back, what an earlier request has copied may be more than the branch would list.
  const isSame = (claimed?.turnsHash ?? turnsHash) === turnsHash;
  const isCopied = isSame && (await copyAll(env, copies));
  if (isCopied) {
    const { stub } = await searchOf(env.SEARCH, ownerEmail);
    const turns = { from: threadId, to: mine.threadId, runIds: inherited.map(({ runId }) => runId) };
    // Called until nothing is left. An object of the earlier release takes in everything at once, and returns undefined.
    while ((await reach(async () => await stub.branch(turns))) === true);
    if (await showFork(db, mine, { fromSessionIds, copies: copies.map(inheritedBy) })) return mine.threadId;
  }
  // Another request under the same key may have got further, before the original was deleted.
  if (!(await dropBranch(env, db, mine))) return mine.threadId;
  await findBranchable(db, ownerEmail, threadId, beforeRunId);
  const limit = await limitOfFork(db, ownerEmail, inherited.length);
  // Without a limit, somebody went back in the thread meanwhile, or another request under the same key has begun to delete the copy.
  throw isCopied && limit !== null ? noPlace(limit) : threadIsBusy();
};

/** The branch that is stored under a key; null when the key was used for another request. */
const findClaim = async (
  db: Db,
  ownerEmail: OwnerEmail,
  key: string,
  requestHash: string,
): Promise<z.infer<typeof Claimed> | null | undefined> => {
  const answer = await findAnswer(db, { ownerEmail, scope: "turn", key }, Date.now());
  if (answer === undefined) return undefined;
  return answer.requestHash === requestHash ? Claimed.parse(parseJson(answer.response)) : null;
};

/** Turns to copy from one session of the thread to one of the branch. */
type Copying = {
  readonly harness: string;
  readonly from: HarnessSessionId;
  readonly to: HarnessSessionId;
  readonly runIds: readonly string[];
};

/** What to copy: a branch has a session for each harness that had one of the inherited turns. */
const copiesOf = (
  sessions: readonly ThreadSession[],
  claimed: readonly ThreadSession[],
  inherited: readonly ThreadRun[],
): Copying[] =>
  sessions.flatMap(({ sessionId: from, harness }) => {
    const runIds = inherited.flatMap((run) => (run.sessionId === from ? [run.runId] : []));
    const to = claimed.find((one) => one.harness === harness)?.sessionId;
    return to === undefined || runIds.length === 0 ? [] : [{ harness, from, to, runIds }];
  });

const inheritedBy = ({ to: sessionId, runIds }: Copying): InheritedRuns => ({ sessionId, runIds });

const copyAll = async (env: Env, copies: readonly Copying[]): Promise<boolean> => {
  for (const copy of copies) if (!(await copyConversation(env, copy))) return false;
  return true;
};

/** Copies part by part, from where an earlier try ended. False: one of the two sessions was deleted, or the thread went back. */
const copyConversation = async (env: Env, { harness, from, to, runIds }: Copying): Promise<boolean> => {
  const target = () => env.SESSIONS.getByName(to);
  let newest = await reach(async () => await target().takeForkPart({ blocks: [], rest: undefined }));
  await copyFile(env, from, to);
  for (;;) {
    if (newest === undefined) return false;
    const after = newest;
    const part = await reach(async () => await env.SESSIONS.getByName(from).forkPart(runIds, after));
    if (part === undefined) return false;
    const copy = await named(part, harness);
    newest = await reach(async () => await target().takeForkPart(copy));
    if (part.rest !== undefined) return newest !== undefined;
  }
};

/**
 * Copies the session's copy of the file that the harness keeps on a person's machine, if there is one. Copies all of it: the rows say where
 * the branch goes on.
 */
const copyFile = async (env: Env, from: HarnessSessionId, to: HarnessSessionId): Promise<void> => {
  for (let offset = 0; ; ) {
    const at = offset;
    const { piece } = await reach(async () => await env.SESSIONS.getByName(from).copied(at));
    if (piece === undefined) return;
    // If the piece is refused, the branch is whole already, its session was deleted, or the file was begun anew, which would leave a gap.
    if (!(await reach(async () => await env.SESSIONS.getByName(to).takeCopy(piece)))) return;
    offset = piece.offset + piece.bytes.byteLength;
  }
};

type ForkPart = NonNullable<ReturnType<SessionRpc["forkPart"]>>;

/** The part, with the branch's own name for what its harness keeps elsewhere. */
const named = async (part: ForkPart, harness: string): Promise<ForkPart> => {
  if (part.rest === undefined || part.rest.facts === null || findHarness(harness) === undefined) return part;
  const { facts, ...rest } = part.rest;
  const { branchFacts } = await loadHarness(harness);
  return { ...part, rest: { ...rest, facts: branchFacts?.(facts) ?? facts } };
};
