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
