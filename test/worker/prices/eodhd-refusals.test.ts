/** EODHD refuses in plain text: what a person is told of their key (docs/decisions/0207). */
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { APPLE, comingTradingDay, tradingDay } from "../../support/price-server/trading-day.ts";
import { heldClock } from "../../support/workerd/held-clock.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";
import { splitCloses } from "../../support/workerd/with-split.ts";

const CLOSES = splitCloses("190");

/** Somebody whose Apple has a price. */
const withApple = async () => {
  const ann = await withPrices({ listings: [{ ...APPLE, closes: CLOSES }] }, "eodhd");
  const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "20" });
  await ann.wake();
  await ann.list();
  await env.DB.prepare("UPDATE stocks SET split_day = ? WHERE id = ?").bind(tradingDay(2), id).run();
  await ann.forget();
  return ann;
};

const HOUR_MS = 3_600_000;

describe("a key of EODHD", () => {
  it("that is refused is said to be, and is asked with no more", async () => {
    const ann = await withApple();
    await ann.room.set({ mood: "auth" });
    await ann.wake();
    expect(await ann.object.status(ann.email)).toMatchObject({ lastError: "auth" });
    const { length } = await ann.room.seen();
    await ann.wake();
    expect(await ann.room.seen()).toHaveLength(length);
  });

  it("whose day is used up is asked with again at midnight UTC", async () => {
    const noonMs = Date.parse(`${comingTradingDay()}T12:00:00Z`);
    const clock = heldClock(noonMs);
    const ann = await withApple();
    await ann.room.set({ mood: "budget" });
    await ann.wake();
    expect(await ann.object.status(ann.email)).toMatchObject({ lastError: "budget" });
    const { length } = await ann.room.seen();
    await ann.forget();
    clock.set(noonMs + 12 * HOUR_MS - 1);
    await ann.wake();
    expect(await ann.room.seen()).toHaveLength(length);
    clock.set(noonMs + 12 * HOUR_MS);
    await ann.wake();
    expect(await ann.room.seen()).toHaveLength(length + 1);
  });

  it("is not refused by what stands in between", async () => {
    const ann = await withApple();
    await ann.room.set({ mood: "forbidden" });
    await ann.wake();
    expect(await ann.object.status(ann.email)).toMatchObject({ lastError: "down" });
  });
});
