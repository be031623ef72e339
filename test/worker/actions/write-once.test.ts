/** Races of writes, one step at a time: what happens between a write's reading and its commit (decision 0011). */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { z } from "zod";
import type { ActionContext } from "../../../src/actions/define-action.ts";
import { findOwnStock } from "../../../src/actions/own-stock.ts";
import { type WritePlan, type WriteRequest, writeOnce } from "../../../src/actions/write-once.ts";
import { nextVersion } from "../../../src/actions/write-row.ts";
import { AppError } from "../../../src/contract/app-error.ts";
import { createIdSource, OwnerEmail } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { NO_PRICES } from "../../support/workerd/no-prices.ts";
import { aPerson, type Person } from "../../support/workerd/stocks-client.ts";

const contextOf = ({ email }: Person): ActionContext => ({
  db: openDb(env.DB),
  caller: { ownerEmail: OwnerEmail.parse(email), orgId: null },
  via: "screen",
  prices: NO_PRICES,
  nowMs: Date.now,
  newId: createIdSource(Date.now),
});

const request = (idempotencyKey?: string): WriteRequest<string> => ({
  action: "test",
  input: "input",
  idempotencyKey,
  output: z.string(),
});

/** Files answers until 3,000 bytes are left of what they may take. */
const fileAlmostAll = async (email: string) => {
  const filing = env.DB.prepare(
    `INSERT INTO idempotency_keys (owner_email, scope, key, request_hash, response, created_at_ms)
     VALUES (?, 'action', ?, 'hash', hex(zeroblob(?)), ?)`,
  );
  const sizes = [...Array.from({ length: 49 }, () => 1_000_000), 997_000];
  await env.DB.batch(sizes.map((bytes) => filing.bind(email, crypto.randomUUID(), bytes / 2, Date.now())));
};

/** Resolves once so many have called it. */
const gateFor = (count: number): (() => Promise<void>) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let left = count;
  return () => {
    left -= 1;
    if (left === 0) resolve();
    return promise;
  };
};

const FILED_TOO_MUCH = {
  status: 429,
  message: expect.stringContaining("under your idempotency keys for 24 hours come to 50 MB, the limit."),
};

/** A plan that changes nothing. */
const nothing = async (answer: string): Promise<WritePlan<string>> => ({ changes: [], answer });

it("a write that another one has overtaken is made up again from what is there then", async () => {
  const ann = aPerson();
  const ctx = contextOf(ann);
  const { id } = await ann.add({ symbol: "AAPL" });
  const seen: number[] = [];
  const overtakers = [() => ann.act("update-stock", { id, set: { notes: "first" } }), async () => {}];
  const answer = await writeOnce(ctx, request(), async (moment) => {
    const before = await findOwnStock(ctx, id);
    if (before === undefined) throw new AppError(404, "Stock not found.");
    seen.push(before.version);
    await overtakers.shift()?.();
    const after = nextVersion(moment, before, { deletedAt: moment.at });
    return { changes: [{ action: "delete", before, after }], answer: `deleted version ${before.version}` };
  });
  expect({ answer, seen }).toEqual({ answer: "deleted version 2", seen: [1, 2] });
  expect((await ann.act("list-stocks", { deleted: true })).items).toMatchObject([{ notes: "first", version: 3 }]);
});

it("a write leaves nothing behind when one of its rows was overtaken", async () => {
  const ann = aPerson();
  const ctx = contextOf(ann);
  const [a, b] = [await ann.add({ symbol: "A" }), await ann.add({ symbol: "B" })];
  const attempts = writeOnce(ctx, request("k"), async (moment) => {
    const rows = [await findOwnStock(ctx, a.id), await findOwnStock(ctx, b.id)].filter((row) => row !== undefined);
    await ann.act("update-stock", { id: b.id, set: { notes: crypto.randomUUID() } });
    const changes = rows.map((before) => ({
      action: "delete" as const,
      before,
      after: nextVersion(moment, before, { deletedAt: moment.at }),
    }));
    return { changes, answer: "deleted" };
  });
  await expect(attempts).rejects.toMatchObject({
    status: 409,
    message: "Your list was being changed at the same time. Try again.",
  });
  expect((await ann.act("list-stocks", {})).items.map(({ symbol }) => symbol)).toEqual(["A", "B"]);
  expect((await ann.act("get-stock", { id: a.id })).events).toHaveLength(1);
  expect(await writeOnce(ctx, request("k"), () => nothing("the key is free"))).toBe("the key is free");
});

it("a refusal caused by the request's own first copy is not reported", async () => {
  const ctx = contextOf(aPerson());
  const answer = await writeOnce(ctx, request("k"), async () => {
    await writeOnce(ctx, request("k"), () => nothing("first"));
    throw new AppError(409, "AAPL is already in your list.");
  });
  expect(answer).toBe("first");
});

it("an answer that was filed while the second copy was made up is the answer of both", async () => {
  const ctx = contextOf(aPerson());
  const answer = await writeOnce(ctx, request("k"), async () => {
    await writeOnce(ctx, request("k"), () => nothing("first"));
    return { changes: [], answer: "second" };
  });
  expect(answer).toBe("first");
});

it("a bug in a plan is not taken for a refusal or a lost race", async () => {
  const bug = writeOnce(contextOf(aPerson()), request("k"), () => Promise.reject(new TypeError("bug")));
  await expect(bug).rejects.toThrow(TypeError);
});

it("requests at the same instant do not pass the limit of filed answers together", async () => {
  const ann = aPerson();
  await fileAlmostAll(ann.email);
  // What a plan prepares comes behind the first look at the limit, and before the batch.
  const prepare = gateFor(3);
  const plan = async () => ({ changes: [], answer: "x".repeat(2_500), prepare });
  const writes = await Promise.allSettled(["a", "b", "c"].map((key) => writeOnce(contextOf(ann), request(key), plan)));
  expect(writes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(writes.flatMap((write) => (write.status === "rejected" ? [write.reason] : []))).toEqual([
    expect.objectContaining(FILED_TOO_MUCH),
    expect.objectContaining(FILED_TOO_MUCH),
  ]);
});

it("copies of a request that fills the limit have its answer at the same instant", async () => {
  const ann = aPerson();
  await fileAlmostAll(ann.email);
  const prepare = gateFor(2);
  const plan = async () => ({ changes: [], answer: "x".repeat(2_500), prepare });
  const [first, second] = await Promise.all([1, 2].map(() => writeOnce(contextOf(ann), request("k"), plan)));
  expect(first?.length).toBe(2_500);
  expect(second).toBe(first);
});

it("filed answers are counted in bytes", async () => {
  const ann = aPerson();
  await fileAlmostAll(ann.email);
  const write = writeOnce(contextOf(ann), request("k"), () => nothing("株".repeat(1_100)));
  await expect(write).rejects.toMatchObject(FILED_TOO_MUCH);
});
