/** A person with a key of their own, and the source it is for. */
import { env, runInDurableObject } from "cloudflare:test";
import { inject } from "vitest";
import { listStocks } from "../../../src/actions/list-stocks.ts";
import { createIdSource, OwnerEmail } from "../../../src/contract/ids.ts";
import { ListStocksInput } from "../../../src/contract/stocks/list-stocks.ts";
import { openDb } from "../../../src/db/db.ts";
import { scopeOf } from "../../../src/quotes/find-access.ts";
import { priceRoom, type WorldSetting } from "../price-server/price-room.ts";
import { APPLE } from "../price-server/trading-day.ts";
import { answerOf } from "./answer.ts";
import { fetchAs } from "./fetch-as.ts";
import { NO_PRICES } from "./no-prices.ts";
import { aPerson } from "./stocks-client.ts";

/** A look at the list that wakes no object: what that does goes on behind the answer, and can come after whatever the test does next. */
const quietList = async (email: string) => {
  const ctx = {
    ...({ via: "screen" } as const),
    ...{ db: openDb(env.DB), prices: NO_PRICES, nowMs: Date.now, newId: createIdSource(Date.now) },
    caller: { ownerEmail: OwnerEmail.parse(email), orgId: null },
  };
  return (await listStocks.run(ctx, ListStocksInput.parse({}))).items;
};

/** Somebody whose key leads to a room of its own in the price server. */
export const withPrices = async (
  world: WorldSetting = { listings: [APPLE] },
  source: "twelvedata" | "eodhd" = "twelvedata",
) => {
  const room = priceRoom(inject("priceUrl"));
  await room.set({ key: room.key, ...world });
  const person = aPerson();
  const ask = async (method: string, path: string, body?: unknown) =>
    answerOf(
      await fetchAs(person.email, path, {
        method,
        ...(body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
      }),
    );
  const saved = await ask("PUT", "/_framework/settings/quotes-key", { source, key: room.key });
  if (saved.status !== 200) throw new Error(`The key was not taken: ${JSON.stringify(saved)}`);
  const scope = await scopeOf(env, OwnerEmail.parse(person.email));
  const object = env.QUOTES.getByName(scope);
  return {
    ...person,
    ask,
    room: { ...room, set: (next: WorldSetting) => room.set({ key: room.key, ...next }) },
    object,
    scope,
    /** What a look at the list sets off, awaited. */
    wake: () => object.wake(person.email),
    list: async () => (await person.act("list-stocks", {})).items,
    quietList: () => quietList(person.email),
    /** Hours later, as far as closes are concerned: they may be asked for again. */
    forgetCloses: () =>
      runInDurableObject(object, (_, { storage }) => {
        for (const [key] of storage.kv.list({ prefix: "closes " })) storage.kv.delete(key);
      }),
    /** Makes all that was asked for due again. */
    forget: () => env.DB.prepare("UPDATE instruments SET asked_at_ms = 0 WHERE scope = ?").bind(scope).run(),
  };
};
