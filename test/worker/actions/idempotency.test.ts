/** `idempotencyKey` of the three writes: the effect once, the answer every time (api.md §5). */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { aPerson } from "../../support/workerd/stocks-client.ts";

const REUSED = { status: 422, body: { error: "Idempotency key was used with a different request." } };

describe("the same write again under its key", () => {
  it("adds once and answers the same", async () => {
    const ann = aPerson();
    const input = { symbol: "AAPL", quantity: "1", idempotencyKey: "k" };
    const first = await ann.post("add-stock", input);
    const { stock } = await ann.act("get-stock", { symbol: "AAPL" });
    await ann.act("update-stock", { id: stock.id, set: { quantity: 2 } });
    expect(await ann.post("add-stock", input)).toEqual(first);
    expect(await ann.post("add-stock", { idempotencyKey: "k", quantity: 1.0, symbol: " aapl" })).toEqual(first);
  });

  it("updates once and answers the same", async () => {
    const ann = aPerson();
    const { id } = await ann.add({ symbol: "AAPL" });
    const input = { id, version: 1, set: { quantity: 5 }, idempotencyKey: "k" };
    const first = await ann.post("update-stock", input);
    expect(await ann.post("update-stock", input)).toEqual(first);
    expect((await ann.act("get-stock", { id })).stock.version).toBe(2);
  });

  it("deletes once, even when the stock has come back since", async () => {
    const ann = aPerson();
    const { id } = await ann.add({ symbol: "AAPL" });
    const input = { id, idempotencyKey: "k" };
    const first = await ann.post("delete-stock", input);
    await ann.act("update-stock", { id, restore: true });
    expect(await ann.post("delete-stock", input)).toEqual(first);
    expect((await ann.act("list-stocks", {})).total).toBe(1);
  });

  it("answers for several what it answered first", async () => {
    const ann = aPerson();
    const input = { items: [{ symbol: "A" }, { symbol: "" }, { symbol: "A" }], idempotencyKey: "k" };
    const first = await ann.post("add-stock", input);
    expect(await ann.post("add-stock", input)).toEqual(first);
  });

  it("is no other request's: what cannot be found is said before that the key was used", async () => {
    const ann = aPerson();
    await ann.post("add-stock", { symbol: "AAPL", idempotencyKey: "k" });
    const id = crypto.randomUUID();
    const update = { id, set: { name: "Apple" }, idempotencyKey: "k" };
    expect(await ann.post("update-stock", update)).toMatchObject({ status: 404 });
    expect(await ann.post("delete-stock", { id, idempotencyKey: "k" })).toMatchObject({ status: 404 });
  });

  it("at the same instant is done once and all get one answer", async () => {
    const ann = aPerson();
    const input = { symbol: "AAPL", idempotencyKey: "k" };
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => ann.post("add-stock", input)));
    expect(answers).toEqual(answers.map(() => answers[0]));
    expect(answers[0]).toMatchObject({ status: 200, body: { stock: { version: 1 } } });
  });

  it("at the same instant merges once", async () => {
    const ann = aPerson();
    const { id } = await ann.add({ symbol: "AAPL" });
    const input = { id, set: { lastPrice: 5 }, idempotencyKey: "k" };
    const answers = await Promise.all([1, 2, 3].map(() => ann.post("update-stock", input)));
    expect(answers).toEqual(answers.map(() => answers[0]));
    expect((await ann.act("get-stock", { id })).stock.version).toBe(2);
  });
});

describe("a key", () => {
  it("is refused for another input or another action", async () => {
    const ann = aPerson();
    const { id } = await ann.add({ symbol: "AAPL", idempotencyKey: "k" });
    expect(await ann.post("add-stock", { symbol: "MSFT", idempotencyKey: "k" })).toEqual(REUSED);
    expect(await ann.post("delete-stock", { id, idempotencyKey: "k" })).toEqual(REUSED);
    expect((await ann.act("list-stocks", {})).total).toBe(1);
  });

  it("of two inputs at the same instant serves one and refuses the other", async () => {
    const ann = aPerson();
    const answers = await Promise.all(
      ["A", "B"].map((symbol) => ann.post("add-stock", { symbol, idempotencyKey: "k" })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect((await ann.act("list-stocks", {})).total).toBe(1);
  });

  it("is one's own", async () => {
    await aPerson().add({ symbol: "AAPL", idempotencyKey: "k" });
    expect(await aPerson().add({ symbol: "MSFT", idempotencyKey: "k" })).toMatchObject({ symbol: "MSFT" });
  });

  it("is free again after a refusal and after a rehearsal", async () => {
    const ann = aPerson();
    expect((await ann.post("update-stock", { id: "nope", set: {}, idempotencyKey: "k" })).status).toBe(404);
    expect((await ann.post("add-stock", { symbol: "", idempotencyKey: "k" })).status).toBe(400);
    await ann.act("add-stock", { items: [{ symbol: "A" }], dryRun: true, idempotencyKey: "k" });
    expect((await ann.add({ symbol: "B", idempotencyKey: "k" })).symbol).toBe("B");
  });

  it("counts as absent after 24 hours, and is replaced", async () => {
    const ann = aPerson();
    await ann.add({ symbol: "A", idempotencyKey: "k" });
    await env.DB.prepare("UPDATE idempotency_keys SET created_at_ms = created_at_ms - 86400000 WHERE owner_email = ?")
      .bind(ann.email)
      .run();
    const added = await ann.add({ symbol: "B", idempotencyKey: "k" });
    expect(await ann.add({ symbol: "B", idempotencyKey: "k" })).toEqual(added);
    expect(await ann.post("add-stock", { symbol: "A", idempotencyKey: "k" })).toEqual(REUSED);
  });

  it.each(["", "x".repeat(256), 5, null])("of the wrong form is refused, case %#", async (idempotencyKey) => {
    expect(await aPerson().post("delete-stock", { ids: [], idempotencyKey })).toEqual({
      status: 400,
      body: { error: "idempotencyKey: use 1 to 255 characters" },
    });
  });

  it("is unknown to reads and to the navigation", async () => {
    const error = "idempotencyKey: unknown field, leave it out";
    expect(await aPerson().post("list-stocks", { idempotencyKey: "k" })).toEqual({ status: 400, body: { error } });
    expect(await aPerson().post("set-navigation", { view: "chat", idempotencyKey: "k" })).toEqual({
      status: 400,
      body: { error },
    });
  });
});
