/** A person's own key: taken by the source first, stored encrypted, shown to nobody, and never used for anybody else (api.md §8). */
import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, inject, it } from "vitest";
import { runMinute } from "../../../src/account/run-cron.ts";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { saveSettings } from "../../../src/db/prices/person-settings.ts";
import { openKey, sealKey } from "../../../src/quotes/keys/seal-key.ts";
import type { Budget } from "../../../src/quotes/object/credits.ts";
import { aroundMethod } from "../../support/around-method.ts";
import { callTools, say } from "../../support/model-script.ts";
import { priceRoom } from "../../support/price-server/price-room.ts";
import { APPLE } from "../../support/price-server/trading-day.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { askWith } from "../../support/workerd/ask-as-developer.ts";
import { captureLog } from "../../support/workerd/captured-log.ts";
import { heldClock } from "../../support/workerd/held-clock.ts";
import { runClient } from "../../support/workerd/run-client.ts";
import { somebody } from "../../support/workerd/somebody.ts";
import { wholeDatabase } from "../../support/workerd/whole-database.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";

const PATH = "/_framework/settings";
const KEY_PATH = `${PATH}/quotes-key`;

/** All that an object has stored, as text. */
const dumpOf = (sql: SqlStorage): string =>
  JSON.stringify(
    [...sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_*'")].map(
      ({ name }) => [...sql.exec(`SELECT * FROM "${name}"`)].map((row) => Object.values(row).map(textOf)),
    ),
  );

/** Bytes as the text they may be. */
const textOf = (value: SqlStorageValue): unknown =>
  value instanceof ArrayBuffer ? new TextDecoder().decode(value) : value;

describe("a key", () => {
  it("that the source takes is said to be there, with what it allows and what has to be shown", async () => {
    // Credits are of a day.
    heldClock(Date.now() + 3_600_000);
    const ann = await withPrices();
    await ann.add({ symbol: "AAPL", exchange: "XNAS" });
    await ann.wake();
    expect((await ann.ask("GET", PATH)).body).toMatchObject({
      baseCurrency: "USD",
      quotes: {
        ...{ source: "twelvedata", licence: "owner", hasKey: true, lastError: null },
        // A quote and a history.
        creditsLeft: 798,
        attribution: { text: "Data provided by Twelve Data", url: "https://twelvedata.com" },
      },
    });
    expect(await ann.ask("DELETE", KEY_PATH)).toEqual({ status: 200, body: { ok: true } });
    expect((await ann.ask("GET", PATH)).body).toMatchObject({ quotes: { source: null, hasKey: false } });
  });

  it.each([
    [{ source: "twelvedata", key: "wrong" }, {}, "key: the source refuses this key."],
    [{ source: "eodhd", key: "wrong" }, {}, "key: the source refuses this key."],
    [{ source: "twelvedata", key: "down" }, { mood: "down" as const }, "key: the source does not answer. Try again."],
    [{ source: "stooq", key: "k" }, {}, "source: use twelvedata or eodhd"],
    [{ source: "eodhd", key: "with a space" }, {}, "key: use the key as the source gave it"],
  ])("is refused: %j", async (body, world, error) => {
    // The room is found by the key.
    const url = `${inject("priceUrl")}/${body.key}`;
    await fetch(url, { method: "PUT", body: JSON.stringify("mood" in world ? world : { key: "right" }) });
    expect(await somebody().ask("PUT", KEY_PATH, body)).toEqual({ status: 400, body: { error } });
  });

  it("is nowhere but in the requests to its source", async () => {
    const log = captureLog();
    const ann = await withPrices({ listings: [APPLE] }, "eodhd");
    await ann.add({ symbol: "AAPL", exchange: "XNAS" });
    await ann.wake();
    await ann.room.set({ mood: "down" });
    await ann.forget();
    await ann.wake();
    const { key } = ann.room;
    expect((await ann.room.seen()).every((request) => request.key === key)).toBe(true);
    expect(JSON.stringify(log.lines({}))).not.toContain(key);
    expect(await wholeDatabase()).not.toContain(key);
    expect(JSON.stringify(await ann.ask("GET", "/_framework/account/export"))).not.toContain(key);
    expect(JSON.stringify(await ann.ask("GET", PATH))).not.toContain(key);
    expect(JSON.stringify(await ann.act("get-stock", { symbol: "AAPL" }))).not.toContain(key);
    // In the object it is asked for with, there is whose key it is, and not the key.
    const kept = await runInDurableObject(ann.object, (_, { storage }) => JSON.stringify([...storage.kv.list()]));
    expect(kept).toContain(ann.email);
    expect(kept).not.toContain(key);
  });

  it("is in no request to a model, no event of a run and no title, whatever the agent reads", async () => {
    const ann = await withPrices({ listings: [APPLE] }, "eodhd");
    const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "1" });
    await ann.wake();
    await ann.room.set({ mood: "auth" });
    await ann.forget();
    await ann.wake();
    const calls = [
      { name: "list-stocks", input: { spark: true } },
      { name: "get-stock", input: { id, history: "1y" } },
      { name: "find-symbol", input: { q: "Apple" } },
      { name: "refresh-quotes", input: {} },
      { name: "view-screen", input: {} },
      { name: "value-history", input: { range: "1y" } },
    ];
    const model = await scriptModel(inject("modelUrl"), [callTools(calls), say("Done.")]);
    const client = runClient(ann.email);
    const { runId, events: path } = await client.startTurn("t", model.prompt("What is my key?"));
    const events = await client.follow(path);
    expect(events.filter(({ type }) => type === "tool_end")).toHaveLength(calls.length);
    const { key } = ann.room;
    expect(JSON.stringify(events)).toContain("190.5");
    expect(JSON.stringify(events)).not.toContain(key);
    expect(JSON.stringify(await model.requests())).toContain("190.5");
    expect(JSON.stringify(await model.requests())).not.toContain(key);
    expect(await runInDurableObject(env.RUNS.getByName(runId), (_, { storage }) => dumpOf(storage.sql))).not.toContain(
      key,
    );
    expect(await wholeDatabase()).not.toContain(key);
    expect(JSON.stringify(await ann.ask("GET", "/_framework/account/export"))).not.toContain(key);
  });

  it("belongs to its owner alone: two owners share no row, no request and no budget", async () => {
    const [ann, bob] = [
      await withPrices(),
      await withPrices({ listings: [{ ...APPLE, price: "200", previousClose: "199" }] }),
    ];
    for (const person of [ann, bob]) await person.add({ symbol: "AAPL", exchange: "XNAS" });
    await ann.wake();
    expect(await bob.list()).toMatchObject([{ lastPrice: null }]);
    await bob.wake();
    expect(await ann.list()).toMatchObject([{ lastPrice: "190.5" }]);
    expect(await bob.list()).toMatchObject([{ lastPrice: "200" }]);
    const ids = await env.DB.prepare(
      "SELECT DISTINCT instrument_id FROM stocks WHERE owner_email IN (?, ?) AND instrument_id IS NOT NULL",
    )
      .bind(ann.email, bob.email)
      .all();
    expect(ids.results).toHaveLength(2);
  });
});

describe("a stored key", () => {
  const ann = OwnerEmail.parse("ann@example.com");

  it("opens for its owner and with its secret, and otherwise not", async () => {
    const sealed = await sealKey("a secret", ann, "k-1");
    expect(await openKey("a secret", ann, sealed)).toBe("k-1");
    expect(await openKey("another secret", ann, sealed)).toBeUndefined();
    expect(await openKey("a secret", "bob@example.com", sealed)).toBeUndefined();
    expect(await openKey("a secret", ann, "AAAA")).toBeUndefined();
    expect(await sealKey("a secret", ann, "k-1")).not.toBe(sealed);
  });

  it("that a new secret does not open is asked for again, and nothing else breaks", async () => {
    const person = await withPrices();
    const foreign = await sealKey("the secret before", person.email, person.room.key);
    await env.DB.prepare("UPDATE settings SET quotes_key = ? WHERE owner_email = ?").bind(foreign, person.email).run();
    await person.add({ symbol: "AAPL", exchange: "XNAS", lastPrice: "5" });
    await person.wake();
    expect(await person.list()).toMatchObject([{ lastPrice: "5" }]);
    expect((await person.ask("GET", PATH)).body).toMatchObject({ quotes: { source: "twelvedata", hasKey: false } });
    const again = { source: "twelvedata", key: person.room.key };
    expect(await person.ask("PUT", KEY_PATH, again)).toEqual({ status: 200, body: { ok: true } });
  });
});

it.each([
  ["auth", null],
  ["down", expect.any(String)],
] as const)(
  "a key that its source has just refused is asked for nothing, and actions say why: %s",
  async (reason, retryAt) => {
    heldClock(Date.now() + 3_600_000);
    const ann = await withPrices();
    await ann.addSeveral({ items: [{ symbol: "AAPL", exchange: "XNAS" }, { symbol: "SAP" }] });
    await ann.room.set({ mood: reason });
    await ann.wake();
    const asked = (await ann.room.seen()).length;
    const found = await ann.act("find-symbol", { q: "words that nobody has looked for" });
    expect(found).toEqual({ matches: [], unavailable: reason });
    expect(await ann.act("refresh-quotes", {})).toEqual({
      ...{ accepted: [], pending: [] },
      refused: ["AAPL", "SAP"].map((symbol) => ({ symbol, reason, retryAt })),
    });
    expect(await ann.room.seen()).toHaveLength(asked);
  },
);

describe("a key that takes the place of a refused one, while its object is never told", () => {
  /** Somebody with Apple whose source refuses their key, and stores another one in D1 alone. */
  const withRefused = async () => {
    heldClock(Date.now() + 3_600_000);
    const ann = await withPrices();
    await ann.add({ symbol: "AAPL", exchange: "XNAS" });
    await ann.room.set({ mood: "auth" });
    await ann.wake();
    await ann.forget();
    const next = priceRoom(inject("priceUrl"));
    await next.set({ key: next.key, listings: [APPLE] });
    const owner = OwnerEmail.parse(ann.email);
    const quotesKey = await sealKey(env.BETTER_AUTH_SECRET, owner, next.key);
    return { ...ann, next, store: () => saveSettings(openDb(env.DB), owner, { quotesKey }) };
  };

  it("is used, as nothing of the other one's holds for it", async () => {
    const ann = await withRefused();
    expect(await ann.object.status(ann.email)).toMatchObject({ lastError: "auth" });
    await ann.store();
    await ann.wake();
    expect((await ann.next.seen()).length).toBeGreaterThan(0);
    expect((await ann.ask("GET", PATH)).body).toMatchObject({ quotes: { hasKey: true, lastError: null } });
    expect(await ann.list()).toMatchObject([{ lastPrice: "190.5" }]);
  });

  it("stays the newer one, whoever has read the other one before it was stored", async () => {
    const ann = await withRefused();
    const nth = () => runInDurableObject(ann.object, (_, { storage: { kv } }) => kv.get<Budget>("budget")?.nth ?? 0);
    const before = await nth();
    let reads = 0;
    aroundMethod(Object.getPrototypeOf(env.DB.withSession()), "_wrappedFetch", async (_, args, call) => {
      const answer = await call();
      if (JSON.stringify(args[1]).includes("quotes_key") && reads++ === 0) {
        await ann.store();
        await env.QUOTES.getByName(ann.scope).status(ann.email);
      }
      return answer;
    });
    expect(await ann.object.status(ann.email)).toMatchObject({ lastError: null });
    expect(await nth()).toBe(before + 1);
  });

  it("is tried once where an earlier release has not kept which one was refused", async () => {
    const ann = await withRefused();
    await runInDurableObject(ann.object, (_, { storage }) => storage.kv.delete("key"));
    const { length } = await ann.room.seen();
    await ann.wake();
    await ann.forget();
    await ann.wake();
    expect(await ann.room.seen()).toHaveLength(length + 1);
    expect(await ann.object.status(ann.email)).toMatchObject({ lastError: "auth" });
  });
});

describe("the deployment's key", () => {
  const DISPLAY = { QUOTES_LICENCE: "display", QUOTES_SOURCE: "eodhd", QUOTES_KEY: "k" };

  it("is everybody's, and nobody enters their own", async () => {
    expect(await askWith(DISPLAY, "GET", PATH)).toMatchObject({
      body: { quotes: { source: "eodhd", licence: "display", hasKey: true, attribution: { text: "Data by EODHD" } } },
    });
    expect(await askWith(DISPLAY, "PUT", KEY_PATH, { source: "eodhd", key: "mine" })).toEqual({
      status: 409,
      body: { error: "Personal keys are not used here." },
    });
  });
});

it("while nothing may leave the machine no key is taken and no source is asked", async () => {
  const room = priceRoom(inject("priceUrl"));
  const offline = { OFFLINE: "true" };
  const body = { source: "twelvedata", key: room.key };
  expect(await askWith(offline, "PUT", KEY_PATH, body)).toMatchObject({ status: 409 });
  expect(await askWith(offline, "GET", PATH)).toMatchObject({ body: { quotes: { isOff: true, hasKey: false } } });
  expect(await askWith({}, "GET", PATH)).toMatchObject({ body: { quotes: { isOff: false } } });
  expect(await askWith(offline, "POST", "/_framework/actions/find-symbol", { q: "nothing of mine" })).toMatchObject({
    body: { matches: [] },
  });
  expect(await room.seen()).toEqual([]);
});

it("a deleted account leaves no key, no listing and no price", async () => {
  const ann = await withPrices();
  await ann.add({ symbol: "AAPL", exchange: "XNAS" });
  await ann.wake();
  // Her own scope: other accounts of this database come and go meanwhile.
  const LINKED = "SELECT scope FROM instruments JOIN stocks ON instrument_id = instruments.id WHERE owner_email = ?";
  const scope = await env.DB.prepare(LINKED).bind(ann.email).first("scope");
  expect(scope).toBeTypeOf("string");
  const listings = () => env.DB.prepare("SELECT count(*) AS n FROM instruments WHERE scope = ?").bind(scope).first("n");
  expect(await listings()).toBe(1);
  await ann.ask("DELETE", "/_framework/account", { email: ann.email });
  await runMinute({ ...env }, Date.now() + 5 * 60_000);
  expect(await listings()).toBe(0);
  expect(await env.DB.prepare("SELECT * FROM settings WHERE owner_email = ?").bind(ann.email).first()).toBeNull();
  const orphans = "SELECT count(*) AS n FROM quotes WHERE instrument_id NOT IN (SELECT id FROM instruments)";
  expect(await env.DB.prepare(orphans).first()).toEqual({ n: 0 });
  // A call that was on its way brings nothing back.
  await ann.wake();
  expect(await listings()).toBe(0);
});
