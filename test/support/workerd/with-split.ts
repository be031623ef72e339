/** A person whose Apple was split ten for one since they added it, as its source tells. */
import { env } from "cloudflare:test";
import { APPLE, tradingDay } from "../price-server/trading-day.ts";
import { withPrices } from "./with-prices.ts";

/** The first trade in new shares, in epoch seconds. */
export const SPLIT_AT = Date.parse(`${tradingDay(1)}T15:30:00Z`) / 1_000;

/** Days before the split, oldest first. */
export const splitDays = [8, 7, 6, 5, 4, 3].map(tradingDay);

/** A close of all those days. */
export const splitCloses = (close: string): [string, string][] => splitDays.map((day) => [day, close]);

/** Somebody with 25 shares, whose shares are then ten times as many. `previousClose` is what the source then says of the day before. */
export const withSplit = async (source: "twelvedata" | "eodhd", previousClose = "19") => {
  const ann = await withPrices({ listings: [{ ...APPLE, closes: splitCloses("190") }] }, source);
  const { id } = await ann.add({
    ...{ symbol: "AAPL", exchange: "XNAS", quantity: "25", avgCost: "118.2", targetLow: "120", targetHigh: "400" },
  });
  await ann.wake();
  await ann.list();
  const split = { price: "19.1", previousClose, at: SPLIT_AT, closes: splitCloses("19") };
  const splits: [string, number, number][] = [[tradingDay(1), 10, 1]];
  await ann.room.set({ listings: [{ ...APPLE, ...split, splits }] });
  // Linked before the split.
  await env.DB.prepare("UPDATE stocks SET split_day = ? WHERE id = ?").bind(tradingDay(2), id).run();
  await ann.forget();
  await ann.wake();
  const [stock] = await ann.list();
  return { ...ann, id, stock };
};
