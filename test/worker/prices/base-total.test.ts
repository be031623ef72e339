/** One total in the person's own currency, from the settings and the stored rates (api.md §8). */
import { env } from "cloudflare:test";
import { afterEach, describe, expect, inject, it } from "vitest";
import { runMinute } from "../../../src/account/run-cron.ts";
import { openDb } from "../../../src/db/db.ts";
import { saveRates } from "../../../src/db/prices/fx.ts";
import { priceRoom } from "../../support/price-server/price-room.ts";
import { askWith } from "../../support/workerd/ask-as-developer.ts";
import { somebody } from "../../support/workerd/somebody.ts";
import { aPerson } from "../../support/workerd/stocks-client.ts";

const PATH = "/_framework/settings";
const FRIDAY = { day: "2026-11-20", rates: { USD: "1.25", GBP: "0.8" } };
const FRIDAY_MS = Date.parse("2026-11-20T15:20:00Z");

// Rates are everybody's.
afterEach(() => env.DB.prepare("DELETE FROM fx").run());

const storedDays = async () => (await env.DB.prepare("SELECT day FROM fx ORDER BY day").all()).results;

describe("the settings", () => {
  it("are dollars until somebody chooses", async () => {
    const person = somebody();
    expect(await person.ask("GET", PATH)).toMatchObject({
      status: 200,
      body: {
        baseCurrency: "USD",
        quotes: {
          ...{ source: null, licence: "owner", hasKey: false },
          ...{ creditsLeft: null, lastError: null, attribution: null },
        },
      },
    });
    expect(await person.ask("PATCH", PATH, { baseCurrency: "chf" })).toMatchObject({ body: { baseCurrency: "CHF" } });
    expect(await person.ask("PATCH", PATH, {})).toMatchObject({ body: { baseCurrency: "CHF" } });
    expect(await somebody().ask("GET", PATH)).toMatchObject({ body: { baseCurrency: "USD" } });
  });

  it.each([
    [{ baseCurrency: "GBX" }, "baseCurrency: use a currency code such as USD, EUR or GBP"],
    [{ baseCurrency: "QQQ" }, "baseCurrency: use a currency code such as USD, EUR or GBP"],
    [{ baseCurrency: null }, "baseCurrency: use a currency code such as USD, EUR or GBP"],
    [{ currency: "EUR" }, "currency: unknown field, leave it out"],
  ])("refuse %j", async (body, error) => {
    expect(await somebody().ask("PATCH", PATH, body)).toEqual({ status: 400, body: { error } });
  });
});

describe("the total", () => {
  it("adds holdings of all currencies, pence as pounds, at the newest rates", async () => {
    await saveRates(openDb(env.DB), { day: "2026-11-19", rates: { USD: "9", GBP: "9" } }, FRIDAY_MS);
    await saveRates(openDb(env.DB), FRIDAY, FRIDAY_MS);
    const ann = aPerson();
    const priced = { lastPriceAt: "2026-11-20T10:00:00.000Z", lastPrice: "10" };
    await ann.add({ symbol: "AAPL", quantity: "2", avgCost: "5", ...priced });
    await ann.add({
      symbol: "VOD",
      currency: "GBX",
      quantity: "100",
      lastPrice: "80",
      lastPriceAt: "2026-11-18T10:00:00Z",
    });
    await ann.add({ symbol: "SAP", currency: "EUR", quantity: "1", lastPrice: "100", avgCost: "100" });
    await ann.add({ symbol: "TSM", currency: "TWD", quantity: "1", lastPrice: "100" });
    await ann.add({ symbol: "IBM", lastPrice: "1" });
    const { base } = await ann.act("list-stocks", {});
    expect(base).toEqual({
      ...{
        currency: "USD",
        value: "270",
        cost: "135",
        gain: "10",
        gainPct: "7.4074",
        dayChange: null,
        dayChangePct: null,
      },
      rates: { EUR: "1", ...FRIDAY.rates },
      ...{ ratesOn: "2026-11-20", missing: ["TWD"], pricedAsOf: "2026-11-18T10:00:00.000Z", staleCount: 0 },
    });
    const { base: page } = await ann.act("list-stocks", { limit: 1 });
    expect(page).toEqual(base);
    expect((await ann.act("list-stocks", { currency: "EUR" })).base).toMatchObject({ value: "125" });
  });

  it("orders a list by what its values are worth, on all pages by the rates of the first", async () => {
    await saveRates(openDb(env.DB), FRIDAY, FRIDAY_MS);
    const ann = aPerson();
    const holdings = { EUR: "100", USD: "110", GBX: "9000", GBP: "70", TWD: "1" };
    for (const [currency, lastPrice] of Object.entries(holdings)) {
      await ann.add({ symbol: currency, currency, quantity: "1", lastPrice });
    }
    const sorted = { sort: "marketValue", order: "desc" } as const;
    const { items, nextCursor } = await ann.act("list-stocks", { ...sorted, limit: 2 });
    await saveRates(openDb(env.DB), { day: "2026-11-23", rates: { USD: "1000", GBP: "0.001" } }, FRIDAY_MS);
    const rest = await ann.act("list-stocks", { ...sorted, limit: 200, cursor: nextCursor ?? "" });
    expect([...items, ...rest.items].map(({ symbol }) => symbol)).toEqual(["GBX", "EUR", "USD", "GBP", "TWD"]);
  });

  it("of an empty list is unknown", async () => {
    expect((await aPerson().act("list-stocks", {})).base).toEqual({
      ...{ currency: "USD", value: null, cost: null, gain: null, gainPct: null, dayChange: null, dayChangePct: null },
      rates: {},
      ...{ ratesOn: null, missing: [], pricedAsOf: null, staleCount: 0 },
    });
  });
});

/** The Worker with a source of rates of its own, in which everybody is the developer. */
const withSource = async (rates: Record<string, number>, more: Record<string, string> = {}) => {
  const room = priceRoom(inject("priceUrl"));
  await room.set({ fx: { day: "2026-11-20", rates } });
  const variables = { FX_BASE_URL: room.url, ...more };
  const act = (name: string, body: unknown) => askWith(variables, "POST", `/_framework/actions/${name}`, body);
  await act("add-stock", { symbol: "SAP", currency: "EUR", quantity: "1", lastPrice: "100" });
  return { ...room, list: () => act("list-stocks", { q: "SAP" }), env: { ...env, ...variables } };
};

describe("rates", () => {
  it("are fetched when a list first needs them, which does not wait", async () => {
    const source = await withSource({ USD: 1.1 });
    expect(await source.list()).toMatchObject({ body: { base: { value: null, missing: ["EUR"] } } });
    expect(await source.list()).toMatchObject({ body: { base: { value: "110", ratesOn: "2026-11-20" } } });
    expect(await source.seen()).toEqual([{ path: "/v2/rates", query: "?base=EUR&providers=ecb", key: "" }]);
  });

  it("are fetched by nobody while nothing may leave the machine", async () => {
    const source = await withSource({ USD: 1.1 }, { OFFLINE: "true" });
    await source.list();
    expect(await source.list()).toMatchObject({ body: { base: { missing: ["EUR"] } } });
    expect(await source.seen()).toEqual([]);
  });

  it("are fetched by the cron once they are due, and only where somebody has needed some", async () => {
    const source = await withSource({ USD: 1.1 });
    await runMinute(source.env, Date.parse("2026-11-20T16:00:00Z"));
    expect(await storedDays()).toEqual([]);
    await saveRates(openDb(env.DB), { day: "2026-11-19", rates: { USD: "1.2" } }, Date.parse("2026-11-19T16:00:00Z"));
    await runMinute(source.env, Date.parse("2026-11-20T12:00:00Z"));
    await runMinute(source.env, Date.parse("2026-11-20T16:00:00Z"));
    await runMinute(source.env, Date.parse("2026-11-20T16:30:00Z"));
    expect(await storedDays()).toEqual([{ day: "2026-11-19" }, { day: "2026-11-20" }]);
    expect(await source.seen()).toHaveLength(1);
  });
});
