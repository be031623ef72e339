/** A turn start that died right after its batch: a row, a session and a key, and an object that knows nothing. */
import { env } from "cloudflare:test";
import { contentHash } from "../../../src/contract/digest.ts";
import { HarnessSessionId, OwnerEmail, RunId, ThreadId } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { insertRun } from "../../../src/db/start/insert-run.ts";

export const lostStart = (email: string, threadId: string, prompt: string) => ({
  runId: RunId.parse(crypto.randomUUID()),
  ownerEmail: OwnerEmail.parse(email),
  orgId: null,
  threadId: ThreadId.parse(threadId),
  sessionId: HarnessSessionId.parse(crypto.randomUUID()),
  harness: "anthropic",
  workspaceDir: ".",
  permissionMode: "allow-reads" as const,
  prompt,
  model: "claude-sonnet-5-5",
  // Longer ago than a start can take.
  createdAtMs: Date.now() - 61_000,
});

/** Its run. The key it came with is the thread's id. */
export const insertLostStart = async (
  email: string,
  threadId: string,
  prompt: string,
  more: { readonly workspaceDir?: string } = {},
): Promise<RunId> => {
  const run = { ...lostStart(email, threadId, prompt), ...more };
  const hash = await contentHash([threadId, prompt]);
  const events = `/_framework/runs/${run.runId}/events`;
  const conditions = { loginId: undefined, modelFamily: run.model, effort: undefined, committedEfforts: [] };
  await insertRun(openDb(env.DB), { ...run, idempotency: { key: threadId, requestHash: hash, events } }, conditions);
  return run.runId;
};
