/** Answers that are filed under keys lie in a database that everybody shares: how much of it one person's may take, and how it goes. */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { z } from "zod";
import { continueDeletion, SETTLE_MS } from "../../../src/account/delete-account.ts";
import { addStock } from "../../../src/actions/add-stock.ts";
import { type ActionContext, parseInput } from "../../../src/actions/define-action.ts";
import { requestDeletion } from "../../../src/auth/sign-in-rows.ts";
import { createIdSource, OwnerEmail, RunId } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { dropExpired } from "../../../src/db/deletion/drop-expired.ts";
import { KEY_LIFETIME_MS } from "../../../src/db/idempotency.ts";
import { aroundMethod } from "../../support/around-method.ts";
import { rowsOf } from "../../support/workerd/a-full-account.ts";
import { NO_PRICES } from "../../support/workerd/no-prices.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { aPerson } from "../../support/workerd/stocks-client.ts";

nothingDue();

/** What an owner may have filed, in MB. */
const LIMIT_MB = 50;

/** What one statement may delete, in MB, and so in answers of 1 MB. */
const DELETED_MB = 20;

/** Files answers of 1 MB for a person. */
const fileAnswers = async (email: string, count: number, createdAtMs: number) => {
  const filing = env.DB.prepare(
    `INSERT INTO idempotency_keys (owner_email, scope, key, request_hash, response, created_at_ms)
     VALUES (?, 'action', ?, 'hash', '"' || hex(zeroblob(499999)) || '"', ?)`,
  );
  await env.DB.batch(Array.from({ length: count }, () => filing.bind(email, crypto.randomUUID(), createdAtMs)));
};

const keysOf = async (email: string) => (await rowsOf(email)).idempotency_keys ?? 0;

const Deleted = z.object({ meta: z.object({ changes: z.int() }) });
const Answer = z.union([z.array(Deleted), Deleted.transform((one) => [one])]);

/** The most rows that a statement changes from now on. */
const watchChanges = () => {
  const changes: number[] = [];
  aroundMethod(Object.getPrototypeOf(env.DB.withSession()), "_wrappedFetch", async (_, __, call) => {
    const response = z.instanceof(Response).parse(await call());
    changes.push(...Answer.parse(await response.clone().json()).map(({ meta }) => meta.changes));
    return response;
  });
  return () => Math.max(...changes);
};

it("one person's take 50 MB at most, whether they wrote anything or not", async () => {
  const ann = aPerson();
  const { id } = await ann.add({ symbol: "AAPL", notes: "x".repeat(4_000) });
  const skipped = { items: [{ symbol: "AAPL" }], onConflict: "skip", idempotencyKey: "first" } as const;
  const first = await ann.post("add-stock", skipped);
  expect(first.status).toBe(200);
  await fileAnswers(ann.email, LIMIT_MB, Date.now());
  const error =
    "The answers kept under your idempotency keys for 24 hours come to 50 MB, the limit. Leave the key out, or try again later.";
  const refused = { status: 429, body: { error } };
  expect(await ann.post("add-stock", { ...skipped, idempotencyKey: "second" })).toEqual(refused);
  expect(await ann.post("update-stock", { id, set: { name: "Apple" }, idempotencyKey: "third" })).toEqual(refused);
  expect((await ann.act("get-stock", { id })).stock.name).toBe("AAPL");
  // What has its answer gets it, what is short is still filed, and nothing keeps anybody from a write without a key.
  expect(await ann.post("add-stock", skipped)).toEqual(first);
  expect((await ann.post("add-stock", { symbol: "MSFT", idempotencyKey: "fourth" })).status).toBe(200);
  expect((await ann.act("update-stock", { id, set: { name: "Apple" } })).stock.name).toBe("Apple");
});

it("an agent, which gives no keys, is told of the limit without them", async () => {
  const ann = aPerson();
  await fileAnswers(ann.email, LIMIT_MB, Date.now());
  const agent: ActionContext = {
    ...{ db: openDb(env.DB), caller: { ownerEmail: OwnerEmail.parse(ann.email), orgId: null } },
    ...{ via: "agent", runId: RunId.parse(crypto.randomUUID()), replayKey: "run:1:1-0" },
    ...{ prices: NO_PRICES, nowMs: Date.now, newId: createIdSource(Date.now) },
  };
  const input = { symbol: "AAPL", notes: "x".repeat(4_000) };
  const added = addStock.run(agent, parseInput(addStock.agentInput ?? addStock.input, input));
  await expect(added).rejects.toThrow(
    "The answers kept for the person's changes for 24 hours come to 50 MB, the limit. Try again later.",
  );
});

it("are dropped after their day in pieces that D1 can bear", async () => {
  const ann = aPerson();
  await fileAnswers(ann.email, 30, 1);
  await dropExpired(openDb(env.DB), KEY_LIFETIME_MS + 1);
  expect(await keysOf(ann.email)).toBe(30 - DELETED_MB);
  await dropExpired(openDb(env.DB), KEY_LIFETIME_MS + 1);
  expect(await keysOf(ann.email)).toBe(0);
});

it("go with an account in pieces too", async () => {
  const ann = aPerson();
  await fileAnswers(ann.email, 30, Date.now());
  const deletion = { ownerEmail: OwnerEmail.parse(ann.email), requestedAtMs: Date.now() - SETTLE_MS };
  await requestDeletion(openDb(env.DB), deletion.ownerEmail, deletion.requestedAtMs);
  const most = watchChanges();
  expect(await continueDeletion(env, deletion, Date.now())).toBe(true);
  expect(most()).toBe(DELETED_MB);
  expect(await rowsOf(ann.email)).toEqual({});
});
