/** A deletion that is over touches nothing of the next account under the same e-mail, wherever a late pass of it has come to. */
import { env, runDurableObjectAlarm } from "cloudflare:test";
import { expect, inject, it } from "vitest";
import { continueDeletion, DELETION_STEPS, SETTLE_MS } from "../../../src/account/delete-account.ts";
import { endDeletion, findDeletion, listLogins, removeUser, requestDeletion } from "../../../src/auth/sign-in-rows.ts";
import { sha256Hex } from "../../../src/contract/digest.ts";
import { OwnerEmail, RunId, ThreadId } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import {
  LONG_TABLES,
  removeOwnerRows,
  removeSomeRows,
  someRunIds,
  someSessionIds,
} from "../../../src/db/owner-rows.ts";
import { removeSomeOfScope } from "../../../src/db/prices/instruments.ts";
import { searchOf } from "../../../src/search/search-rpc.ts";
import { openDurableWorkspace, workspaceObjectOf } from "../../../src/workspace/durable/durable-workspace.ts";
import { say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { rowsOf } from "../../support/workerd/a-full-account.ts";
import { holdingDatabase } from "../../support/workerd/holding-database.ts";
import { codesSentTo } from "../../support/workerd/outbox.ts";
import { aBrowser, signIn } from "../../support/workerd/sign-in.ts";
import worker from "../../support/workerd/test-worker.ts";
import { listed } from "../../support/workspace/workspace-under-test.ts";

const db = openDb(env.DB);

/** Somebody whose account can be deleted at once. */
const aLeaver = async () => {
  const first = await signIn();
  await first.ask("POST", "/_framework/actions/add-stock", { symbol: "OLD" });
  const ownerEmail = OwnerEmail.parse(first.email);
  const deletion = { ownerEmail, requestedAtMs: Date.now() - SETTLE_MS };
  await requestDeletion(db, ownerEmail, deletion.requestedAtMs);
  return { ownerEmail, deletion };
};

/** Signs in, which ends the deletion, and fills the new account. Returns a function that says what is in it. */
const aNewAccount = async (ownerEmail: OwnerEmail) => {
  const { ask, request, openOrganization } = await signIn(ownerEmail);
  const workspaceObject = await workspaceObjectOf(env.WORKSPACES, ownerEmail);
  const { stub: search } = await searchOf(env.SEARCH, ownerEmail);
  const scope = await sha256Hex(ownerEmail);
  const quotes = env.QUOTES.getByName(scope);
  for (const object of [workspaceObject, search, quotes]) await runDurableObjectAlarm(object);
  await openOrganization();
  await ask("POST", "/_framework/actions/add-stock", { symbol: "NEW" });
  await ask("POST", "/_framework/actions/set-navigation", { view: "stocks", path: "/stocks" });
  const script = await scriptModel(inject("modelUrl"), [say("Hello.")]);
  const turn = { threadId: crypto.randomUUID(), prompt: script.prompt("hello") };
  const { body } = await ask("POST", "/api/agent/turn", turn);
  const { runId, events } = Object(body);
  await (await request(events)).text();
  const workspace = await openDurableWorkspace(env.WORKSPACES, ownerEmail);
  await workspace.write("new.md", new TextEncoder().encode("new"));
  const said = { threadId: ThreadId.parse(turn.threadId), runId: RunId.parse(crypto.randomUUID()), createdAtMs: 1 };
  await search.put({ ...said, prompt: "Zanzibar", answer: "" });
  await env.DB.prepare(
    "INSERT INTO instruments (id, scope, source, symbol, currency, name, asked_at_ms) VALUES (?1, ?2, 'eodhd', 'NEW', 'USD', 'New', 1)",
  )
    .bind(crypto.randomUUID(), scope)
    .run();
  await quotes.refresh(ownerEmail, null, crypto.randomUUID());
  return async () => ({
    // The run's end may be told to D1 at any moment, which adds and removes no rows that count here.
    rows: { ...(await rowsOf(ownerEmail)), run_costs: 0 },
    files: await listed(workspace),
    found: (await search.find("zanzibar")).length,
    run: await env.RUNS.getByName(runId).status(),
    listings: await env.DB.prepare("SELECT count(*) AS n FROM instruments WHERE scope = ?").bind(scope).first("n"),
    refreshed: await quotes.refresh(ownerEmail, null, crypto.randomUUID()),
  });
};

const FULL = {
  rows: expect.objectContaining({ stocks: 1, stock_events: 1, runs: 1, harness_sessions: 1, threads: 1, users: 1 }),
  files: ["new.md"],
  found: 1,
  run: expect.objectContaining({ status: "completed" }),
  listings: 1,
  refreshed: "too_soon",
};

it.each(DELETION_STEPS)("a pass that comes to the step %s after the end of its deletion stops", async (late) => {
  const { ownerEmail, deletion } = await aLeaver();
  let look: Awaited<ReturnType<typeof aNewAccount>> | undefined;
  const before = async (step: string) => {
    if (step === late) look = await aNewAccount(ownerEmail);
  };
  expect(await continueDeletion(env, deletion, Date.now(), before)).toBe(true);
  expect(await look?.()).toEqual(FULL);
});

it("what a pass has sent already changes nothing after the end of its deletion", async () => {
  const { ownerEmail, deletion } = await aLeaver();
  const look = await aNewAccount(ownerEmail);
  const { stub: search } = await searchOf(env.SEARCH, ownerEmail);
  const scope = await sha256Hex(ownerEmail);
  const untilMs = Date.now() + SETTLE_MS;
  expect(await someSessionIds(db, deletion, 10)).toEqual([]);
  expect(await someRunIds(db, deletion, 10)).toEqual([]);
  await search.purge(deletion, untilMs);
  await (await workspaceObjectOf(env.WORKSPACES, ownerEmail)).purge(deletion, untilMs);
  await env.QUOTES.getByName(scope).purge(deletion, untilMs);
  await env.QUOTES.getByName(scope).forget(deletion);
  expect(await removeSomeOfScope(db, scope, deletion)).toBe(true);
  for (const table of LONG_TABLES) expect(await removeSomeRows(db, deletion, table)).toBe(true);
  await removeOwnerRows(db, deletion);
  await removeUser(db, deletion);
  expect(await look()).toEqual(FULL);
});

it("a later deletion under the same e-mail is not ended by an earlier one", async () => {
  const { ownerEmail, deletion } = await aLeaver();
  expect(await continueDeletion(env, deletion, Date.now())).toBe(true);
  const later = { ownerEmail, requestedAtMs: Date.now() };
  await requestDeletion(db, ownerEmail, later.requestedAtMs);
  expect(await continueDeletion(env, deletion, Date.now())).toBe(true);
  await endDeletion(db, deletion);
  expect(await findDeletion(db, ownerEmail)).toEqual(later);
});

it("a sign-in that a deletion overtakes signs nobody in", async () => {
  const { email } = await signIn();
  const ownerEmail = OwnerEmail.parse(email);
  await aBrowser().askForCode(email);
  const held = holdingDatabase(env.DB, 'insert into "logins"');
  const answer = worker.request(
    "https://tally.test/_framework/auth/sign-in/email-otp",
    {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, otp: codesSentTo(email).at(-1) }),
    },
    { ...env, DB: held.binding },
  );
  await held.reached;
  await requestDeletion(db, ownerEmail, Date.now());
  held.release();
  expect((await answer).status).toBe(409);
  expect(await listLogins(db, ownerEmail)).toEqual([]);
});
