/** A source whose daily closes end with the day that is not over yet (decision 0207). */
import { expect, it } from "vitest";
import { APPLE, comingTradingDay } from "../../support/price-server/trading-day.ts";
import { heldClock } from "../../support/workerd/held-clock.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";
import { splitCloses } from "../../support/workerd/with-split.ts";

it("a day is no close while its market trades; once sources have its close, it is", async () => {
  const today = comingTradingDay();
  // New York trades at 16:00 UTC and is closed at 22:30, in summer and in winter.
  const clock = heldClock(Date.parse(`${today}T16:00:00Z`));
  const closes = splitCloses("188");
  const listing = { ...APPLE, at: Date.parse(`${today}T15:59:00Z`) / 1_000, closes };
  const ann = await withPrices({ listings: [listing] });
  const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS", quantity: "1" });
  await ann.wake();
  const history = async () => (await ann.act("get-stock", { id, history: "1y" })).history;
  expect((await history())?.points).toEqual(closes);
  expect(Date.parse((await history())?.asOf ?? "")).toBeLessThan(Date.now());
  clock.set(Date.parse(`${today}T22:30:00Z`));
  const closed: [string, string][] = [...closes, [today, "191"]];
  await ann.room.set({ listings: [{ ...listing, isOpen: false, closes: closed }] });
  await ann.wake();
  expect((await history())?.points).toEqual(closed);
});

it("closes of EODHD, which does not tell New York's markets apart, are as of New York's close", async () => {
  const closes = splitCloses("188");
  const ann = await withPrices({ listings: [{ ...APPLE, closes }] }, "eodhd");
  const { id } = await ann.add({ symbol: "AAPL", quantity: "1" });
  await ann.wake();
  const { history } = await ann.act("get-stock", { id, history: "1y" });
  const inNewYork = new Date(history?.asOf ?? "").toLocaleString("sv-SE", { timeZone: "America/New_York" });
  expect(inNewYork).toBe(`${closes.at(-1)?.[0]} 16:00:00`);
});
