/** A deleted thread leaves nothing of the SDK's session on the person's machine, also when that was away (decision 0143). */
import { env } from "cloudflare:test";
import { inject, it } from "vitest";
import { z } from "zod";
import { continueDeletion } from "../../../src/account/delete-account.ts";
import { endDeletion, requestDeletion } from "../../../src/auth/sign-in-rows.ts";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { AgentHost } from "../../../src/harness/agent-sdk/agent-host.ts";
import { deleteNotedSessions } from "../../../src/run/host/purge-session.ts";
import { postToHost } from "../../../src/workspace/host/host-post.ts";
import { HostWorkspace } from "../../../src/workspace/host/host-workspace.ts";
import { askAsDeveloper, askWith } from "../../support/workerd/ask-as-developer.ts";
import { liftWorkspaceMark } from "../../support/workerd/lift-workspace-mark.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { sdkSessionOf, sdkThread } from "../../support/workerd/sdk-thread.ts";

nothingDue();

const Rows = z.array(z.object({ session_id: z.string(), noted_at_ms: z.int() }));

/** What is noted, oldest first. */
const noted = async () =>
  Rows.parse((await env.DB.prepare("SELECT * FROM host_deletions ORDER BY noted_at_ms").all()).results);

const address = () => inject("harnessHost");

/** The Worker's variables while the host is there. */
const there = () => ({ WORKSPACE_URL: address().url, WORKSPACE_TOKEN: address().token });

const sizeOf = async (sessionId: string): Promise<number> => {
  const host = new AgentHost(postToHost(address()), new HostWorkspace(address()));
  return (await host.readSession(sessionId, 0)).size;
};

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A thread after one turn, deleted while no host is served. */
const deletedWhileAway = async () => {
  const thread = sdkThread();
  await (await thread.start("[replay:two-turns] Hello")).handedOver();
  await askAsDeveloper("DELETE", `/_framework/threads/${thread.threadId}`);
  const [row] = (await noted()).slice(-1);
  return z.object({ session_id: z.string(), noted_at_ms: z.int() }).parse(row);
};

it("a thread that is deleted while the host is there takes the session's files with it", async ({ expect }) => {
  const thread = sdkThread();
  await (await thread.start("[replay:two-turns] Hello")).handedOver();
  await askWith(there(), "DELETE", `/_framework/threads/${thread.threadId}`);
  const [row] = await noted();
  expect(await sizeOf(row?.session_id ?? "")).toBe(0);
  // Once more a minute later, for what a turn on its way may have written; then nothing is noted any more.
  await deleteNotedSessions({ ...env, ...there() }, Date.now() + MINUTE_MS + 1);
  expect(await noted()).toEqual([]);
});

it("a thread that is deleted while the host is away loses its files when it is back", async ({ expect }) => {
  const { session_id: sessionId, noted_at_ms: atMs } = await deletedWhileAway();
  expect(await sizeOf(sessionId)).toBeGreaterThan(0);
  const gone = { WORKSPACE_URL: "http://127.0.0.1:1", WORKSPACE_TOKEN: "none" };
  await deleteNotedSessions({ ...env, ...gone }, atMs + 6 * MINUTE_MS);
  // It is not asked again at once.
  await deleteNotedSessions({ ...env, ...there() }, atMs + 10 * MINUTE_MS);
  expect(await sizeOf(sessionId)).toBeGreaterThan(0);
  await deleteNotedSessions({ ...env, ...there() }, atMs + 11 * MINUTE_MS);
  expect(await sizeOf(sessionId)).toBe(0);
  expect(await noted()).toEqual([]);
});

it("a host that never comes back is given up after 90 days", async ({ expect }) => {
  const { noted_at_ms: atMs } = await deletedWhileAway();
  await deleteNotedSessions(env, atMs + 89 * DAY_MS);
  expect(await noted()).toHaveLength(1);
  await deleteNotedSessions(env, atMs + 91 * DAY_MS);
  expect(await noted()).toEqual([]);
});

it("a session in its first turn is noted too, and nothing that is noted says whose it was", async ({ expect }) => {
  const thread = sdkThread();
  const run = await thread.start("[replay:read-edits-stock] Do it");
  await run.eventsUntil("permission_request");
  await askWith(there(), "DELETE", `/_framework/threads/${thread.threadId}`);
  const [row] = await noted();
  expect(await sizeOf(row?.session_id ?? "")).toBe(0);
  expect(Object.keys((await env.DB.prepare("SELECT * FROM host_deletions").first()) ?? {})).toEqual([
    "session_id",
    "noted_at_ms",
    "due_at_ms",
  ]);
  await deleteNotedSessions({ ...env, ...there() }, Date.now() + MINUTE_MS + 1);
});

it("deleting the account notes the sessions of all its threads", async ({ expect }) => {
  const sessionIds: string[] = [];
  for (const thread of [sdkThread(), sdkThread()]) {
    const events = await (await thread.start("[replay:two-turns] Hello")).handedOver();
    sessionIds.push(await sdkSessionOf(events));
  }
  const ownerEmail = OwnerEmail.parse("dev@local.test");
  const deletion = { ownerEmail, requestedAtMs: Date.now() };
  await requestDeletion(openDb(env.DB), ownerEmail, deletion.requestedAtMs);
  await continueDeletion(env, deletion, Date.now());
  await endDeletion(openDb(env.DB), deletion);
  await liftWorkspaceMark(ownerEmail);
  // The developer's threads of other files are noted with them, and those need not have a file on this host.
  expect((await noted()).map(({ session_id }) => session_id)).toEqual(expect.arrayContaining(sessionIds));
  for (const sessionId of sessionIds) expect(await sizeOf(sessionId)).toBeGreaterThan(0);
  await deleteNotedSessions({ ...env, ...there() }, Date.now() + MINUTE_MS + 1);
  for (const sessionId of sessionIds) expect(await sizeOf(sessionId)).toBe(0);
});
