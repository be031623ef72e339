/** Deleting an account: everything goes, also after a crash at any step, and nothing comes back. */
import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { continueDeletion, DELETION_STEPS, SETTLE_MS } from "../../../src/account/delete-account.ts";
import { runMinute } from "../../../src/account/run-cron.ts";
import { requestDeletion } from "../../../src/auth/sign-in-rows.ts";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { workspaceObjectOf } from "../../../src/workspace/durable/durable-workspace.ts";
import { aroundMethod } from "../../support/around-method.ts";
import { aFullAccount, rowsOf } from "../../support/workerd/a-full-account.ts";
import { askAsDeveloper } from "../../support/workerd/ask-as-developer.ts";
import { liftWorkspaceMark } from "../../support/workerd/lift-workspace-mark.ts";
import { codesSentTo } from "../../support/workerd/outbox.ts";
import { openStream, parseFrames } from "../../support/workerd/run-client.ts";
import { aBrowser, signIn } from "../../support/workerd/sign-in.ts";
import { listed, readText } from "../../support/workspace/workspace-under-test.ts";

const PATH = "/_framework/account";
const CLOSED = {
  status: 409,
  body: { error: "This account is being deleted. Sign in again in a few minutes for a new one." },
};

/** Wishes for the deletion at a time that is over, so that the next step of the cron ends it. */
const wish = async (owner: OwnerEmail, ageMs: number) => {
  const deletion = { ownerEmail: owner, requestedAtMs: Date.now() - ageMs };
  await requestDeletion(openDb(env.DB), owner, deletion.requestedAtMs);
  return deletion;
};

const later = () => Date.now() + SETTLE_MS;

describe("the wish", () => {
  it.each([undefined, {}, { email: "somebody@example.com" }, { email: 1 }])(
    "is refused without the person's own e-mail: %j",
    async (body) => {
      const { ask, session } = await signIn();
      expect(await ask("DELETE", PATH, body)).toEqual({
        status: 400,
        body: { error: "email: type the address you are signed in with, to confirm." },
      });
      expect(await session()).toMatchObject({ status: 200 });
    },
  );

  it("is refused where sign-in is off", async () => {
    expect(await askAsDeveloper("DELETE", PATH, { email: "dev@local.test" })).toEqual({
      status: 409,
      body: { error: "Sign-in is off here, so there is no account to delete." },
    });
  });

  it("of a revoked log-in is nobody's", async () => {
    const { ask, email } = await signIn();
    await (await signIn(email)).ask("POST", "/_framework/auth/revoke-sessions");
    expect(await ask("DELETE", PATH, { email })).toMatchObject({ status: 401 });
  });

  it("signs the person out everywhere", async () => {
    const { ask, email, dropCookieCache, session } = await signIn();
    expect(await ask("DELETE", PATH, { email: ` ${email.toUpperCase()}` })).toEqual({
      status: 200,
      body: { ok: true },
    });
    dropCookieCache();
    expect(await session()).toMatchObject({ status: 401 });
  });
});

it("the answer takes every cookie of sign-in away, also where one would have been renewed", async () => {
  const { ask, cookies, email, request, dropCookieCache } = await signIn();
  dropCookieCache();
  cookies.set("__Host-tally.session_data.0", "a part of a copy that was too long for one");
  const answer = await request(PATH, { method: "DELETE", body: JSON.stringify({ email }) });
  expect(answer.status).toBe(200);
  expect(answer.headers.getSetCookie().filter((cookie) => !/; Max-Age=0; .*HttpOnly; Secure/.test(cookie))).toEqual([]);
  expect([...cookies.keys()]).toEqual([]);
  expect(await ask("GET", "/_framework/session")).toMatchObject({ status: 401 });
});

it("everything of the person goes, and nothing of anybody else", async () => {
  const other = await signIn();
  await other.ask("POST", "/_framework/actions/add-stock", { symbol: "MSFT" });
  const before = await rowsOf(other.email);
  const { ask, email, live, finished } = await aFullAccount();
  await ask("DELETE", PATH, { email });
  await runMinute(env, later());
  expect(await rowsOf(email)).toEqual({});
  expect(await env.RUNS.getByName(live.runId).status()).toBeUndefined();
  expect(await env.RUNS.getByName(finished.runId).status()).toBeUndefined();
  expect(await rowsOf(other.email)).toEqual(before);
});

it.each(DELETION_STEPS)("a crash before the step %s is repaired by the cron", async (crashed) => {
  const { owner, live } = await aFullAccount();
  const deletion = await wish(owner, SETTLE_MS);
  const before = (step: string) => (step === crashed ? Promise.reject(new Error("crash")) : Promise.resolve());
  await expect(continueDeletion(env, deletion, Date.now(), before)).rejects.toThrow("crash");
  expect(await rowsOf(owner)).toMatchObject({ account_deletions: 1 });
  await runMinute(env, Date.now());
  expect(await rowsOf(owner)).toEqual({});
  expect(await env.RUNS.getByName(live.runId).status()).toBeUndefined();
});

it("what a late request wrote goes as well", async () => {
  // Who has no log-in that could have ended meanwhile is as late as can be.
  const owner = OwnerEmail.parse("dev@local.test");
  const deletion = await wish(owner, 0);
  expect(await continueDeletion(env, deletion, Date.now())).toBe(false);
  await askAsDeveloper("POST", "/_framework/actions/add-stock", { symbol: "AAPL" });
  expect(await rowsOf(owner)).toMatchObject({ stocks: 1 });
  await runMinute(env, later());
  expect(await rowsOf(owner)).toEqual({});
  await liftWorkspaceMark(owner);
});

it("a run's streams end, and nobody finds it any more", async () => {
  const { owner, request, live, finished } = await aFullAccount();
  const stream = await openStream(request, live.events, "user_message");
  const rest = stream.rest();
  await continueDeletion(env, await wish(owner, 0), Date.now());
  expect(parseFrames(await rest).at(-1)).toMatchObject({ type: "run_end", status: "aborted" });
  expect([(await request(live.events)).status, (await request(finished.events)).status]).toEqual([404, 404]);
});

it("a workspace refuses late calls, and is new and empty when its mark is lifted", async () => {
  const { owner, workspace } = await aFullAccount();
  await continueDeletion(env, await wish(owner, 0), Date.now());
  await expect(workspace.write("late.md", new Uint8Array([1]))).rejects.toThrow("This workspace was deleted.");
  await expect(workspace.stat("notes.md")).rejects.toThrow("This workspace was deleted.");
  let wipes = 0;
  await runInDurableObject(await workspaceObjectOf(env.WORKSPACES, owner), (_, { storage }) =>
    aroundMethod(storage, "deleteAll", (_, __, call) => {
      wipes += 1;
      return call();
    }),
  );
  await liftWorkspaceMark(owner);
  // Only then does the object cease to exist: an empty database is billed too.
  expect(wipes).toBe(1);
  expect(await listed(workspace)).toEqual([]);
  await workspace.write("first.md", new TextEncoder().encode("one"));
  expect(await readText(workspace, "first.md")).toBe("one");
});

describe("an account that is being deleted", () => {
  it("is closed, and is a new one afterwards", async () => {
    const { owner, email } = await aFullAccount();
    // The route deletes in the background as well, which here would meet the new account.
    await wish(owner, 0);
    const soon = aBrowser();
    await soon.askForCode(email);
    expect(await soon.enterCode(email, codesSentTo(email).at(-1) ?? "")).toEqual(CLOSED);
    expect(await soon.session()).toMatchObject({ status: 401 });
    await runMinute(env, later());
    const again = await signIn(owner);
    expect(await again.ask("GET", "/_framework/actions/list-stocks")).toMatchObject({ body: { total: 0 } });
    expect(await again.ask("GET", "/_framework/threads")).toMatchObject({ body: { threads: [] } });
  });

  it("is opened by the sign-in itself where no cron runs", async () => {
    const { email } = await signIn();
    await wish(OwnerEmail.parse(email), SETTLE_MS);
    const again = await signIn(email);
    expect(await again.session()).toMatchObject({ status: 200 });
    expect(await rowsOf(email)).toEqual({ users: 1 });
  });

  it("does not look closed to who has no code", async () => {
    const { email } = await signIn();
    await wish(OwnerEmail.parse(email), 0);
    expect(await aBrowser().enterCode(email, "000000")).toMatchObject({ status: 400 });
  });
});

it("the cron drops log-ins, codes and counts that are over, and no others", async () => {
  const others = await signIn();
  const { email, session, dropCookieCache } = await signIn();
  await aBrowser().askForCode(email);
  const ends = [
    env.DB.prepare("UPDATE logins SET expires_at_ms = 1 WHERE user_id = (SELECT id FROM users WHERE email = ?)").bind(
      email,
    ),
    env.DB.prepare("UPDATE sign_in_codes SET expires_at_ms = 1"),
    env.DB.prepare("UPDATE sign_in_attempts SET window_end_ms = 1"),
  ];
  await env.DB.batch(ends);
  await runMinute(env, Date.now());
  const left = await env.DB.prepare(
    `SELECT (SELECT count(*) FROM logins WHERE expires_at_ms = 1) + (SELECT count(*) FROM sign_in_codes)
       + (SELECT count(*) FROM sign_in_attempts) AS n`,
  ).first<{ n: number }>();
  expect(left).toEqual({ n: 0 });
  dropCookieCache();
  others.dropCookieCache();
  expect([(await session()).status, (await others.session()).status]).toEqual([401, 200]);
});
