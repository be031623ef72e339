/** A deletion that takes several passes: each goes on where the last one ended, and what people wait for comes first. */
import { env as plain } from "cloudflare:test";
import { expect, it } from "vitest";
import { continueDeletion, SESSIONS_A_PASS, SETTLE_MS } from "../../../src/account/delete-account.ts";
import { runMinute } from "../../../src/account/run-cron.ts";
import { requestDeletion } from "../../../src/auth/sign-in-rows.ts";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { rowsOf } from "../../support/workerd/a-full-account.ts";
import { captureLog } from "../../support/workerd/captured-log.ts";
import { dueAt } from "../../support/workerd/due-notices.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { outbox } from "../../support/workerd/outbox.ts";
import { signIn } from "../../support/workerd/sign-in.ts";
import { somebody } from "../../support/workerd/somebody.ts";

nothingDue();

const env = { ...plain, MAIL: outbox };

/** An account whose deletion is due, with so many sessions, and runs of so many threads that were deleted before. */
const aLargeAccount = async ({ sessions, runs = 0 }: { readonly sessions: number; readonly runs?: number }) => {
  const ownerEmail = OwnerEmail.parse(`${crypto.randomUUID()}@example.com`);
  const deletion = { ownerEmail, requestedAtMs: Date.now() - SETTLE_MS };
  await requestDeletion(openDb(env.DB), ownerEmail, deletion.requestedAtMs);
  const count = "WITH RECURSIVE nth(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM nth WHERE n < ?2) ";
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO harness_sessions (id, owner_email, thread_id, harness, workspace_dir, permission_mode, created_at_ms)
       ${count} SELECT ?1 || ' s' || n, ?1, 't' || n, 'messages', '/', 'allow-reads', 1 FROM nth`,
    ).bind(ownerEmail, sessions),
    env.DB.prepare(
      `INSERT INTO runs (run_id, owner_email, thread_id, session_id, status, created_at_ms)
       ${count} SELECT ?1 || ' r' || n, ?1, '', ?1 || ' d' || n, 'completed', 1 FROM nth WHERE ?2 > 0`,
    ).bind(ownerEmail, runs),
  ]);
  return deletion;
};

/** Objects of sessions that only count. `before` is called with how many have been asked so far, this one included. */
const countedSessions = (before: (nth: number) => Promise<void> = async () => {}) => {
  const purged: string[] = [];
  let asked = 0;
  const getByName = (id: string) => ({
    allFacts: async () => [],
    purge: async () => {
      asked += 1;
      await before(asked);
      purged.push(id);
    },
  });
  const SESSIONS = new Proxy(env.SESSIONS, {
    get: (sessions, name) => (name === "getByName" ? getByName : Reflect.get(sessions, name)),
  });
  return { world: { ...env, SESSIONS }, purged };
};

it("sessions that were deleted before a crash are not deleted again by the next pass", async () => {
  const deletion = await aLargeAccount({ sessions: 45 });
  const { world, purged } = countedSessions(async (nth) => {
    // Whatever cannot be reached is called twice.
    if (nth === 45 || nth === 46) throw new Error("Gone.");
  });
  await expect(continueDeletion(world, deletion, Date.now())).rejects.toThrow();
  expect(purged).toHaveLength(44);
  expect(await continueDeletion(world, deletion, Date.now())).toBe(true);
  expect(purged).toHaveLength(45);
  expect(new Set(purged).size).toBe(45);
  expect(await rowsOf(deletion.ownerEmail)).toEqual({});
});

it("a pass deletes a limited number of sessions, those of deleted threads last", async () => {
  const deletion = await aLargeAccount({ sessions: SESSIONS_A_PASS + 10, runs: 2 });
  const { world, purged } = countedSessions();
  expect(await continueDeletion(world, deletion, Date.now())).toBe(false);
  expect(purged).toHaveLength(SESSIONS_A_PASS);
  expect(await continueDeletion(world, deletion, Date.now())).toBe(true);
  expect(purged).toHaveLength(SESSIONS_A_PASS + 12);
  expect(purged.slice(-2).sort()).toEqual([`${deletion.ownerEmail} d1`, `${deletion.ownerEmail} d2`]);
  expect(await rowsOf(deletion.ownerEmail)).toEqual({});
});

it("the last pass leaves an invitation that somebody sent after the account was given up", async () => {
  const [ann, carl] = [await signIn(), await signIn()];
  const organizationId = await ann.openOrganization();
  const invite = () =>
    ann.ask("POST", "/_framework/auth/organization/invite-member", { email: carl.email, organizationId });
  await invite();
  const deletion = { ownerEmail: OwnerEmail.parse(carl.email), requestedAtMs: Date.now() };
  await requestDeletion(openDb(env.DB), deletion.ownerEmail, deletion.requestedAtMs);
  expect(await continueDeletion(env, deletion, Date.now())).toBe(false);
  await invite();
  expect(await continueDeletion(env, deletion, deletion.requestedAtMs + SETTLE_MS)).toBe(true);
  const left = await env.DB.prepare("SELECT status FROM invitations WHERE email = ?").bind(carl.email).all();
  expect(left.results).toEqual([{ status: "pending" }]);
});

it("notices are sent before anything is deleted", async () => {
  const person = somebody();
  await dueAt(person, Date.now(), 1);
  const stateOf = env.DB.prepare("SELECT state FROM notices WHERE owner_email = ?").bind(person.email);
  await aLargeAccount({ sessions: 1 });
  const states: unknown[] = [];
  const { world } = countedSessions(async () => {
    states.push(await stateOf.first("state"));
  });
  await runMinute(world, Date.now());
  // One for each session: other tests may have left accounts to be deleted.
  expect(new Set(states)).toEqual(new Set(["sent"]));
});

it("a step of the cron that fails keeps none of the others from being done", async () => {
  const log = captureLog();
  const nowMs = Date.now();
  await env.DB.prepare("INSERT INTO idempotency_keys VALUES ('x@example.com', 'action', 'old', 'hash', '{}', 1)").run();
  const DB = new Proxy(env.DB, {
    get: (db, name) => {
      if (name !== "prepare") {
        const own: unknown = Reflect.get(db, name);
        return typeof own === "function" ? own.bind(db) : own;
      }
      return (text: string) => {
        if (text.startsWith("DELETE FROM notices")) throw new Error("D1_ERROR: Network connection lost.");
        return db.prepare(text);
      };
    },
  });
  await runMinute({ ...env, DB }, nowMs);
  // The database is that of the other tests, too.
  const old = env.DB.prepare("SELECT key FROM idempotency_keys WHERE owner_email = 'x@example.com'");
  expect(await old.first()).toBeNull();
  expect(log.lines({ message: "Old notices were not deleted." })).toMatchObject([{ level: "error" }]);
});
