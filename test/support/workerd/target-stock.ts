/** A stock with a price of a source and a target to be told of, for tests that need many hits of it and no source. */
import { env } from "cloudflare:test";
import { z } from "zod";
import type { Somebody } from "./somebody.ts";

const Added = z.object({ stock: z.object({ id: z.string() }) });

/** Newer than any session, so that the price is of the last one at any time. */
const MARK = JSON.stringify({ kind: "trade", session: "9999-12-31", closedOn: null, isHeld: false });

const SPLIT = JSON.stringify({ day: "2026-06-10", numerator: 10, denominator: 1 });

/** What a split does to a stock: `waiting` for the person to confirm it, or `unseen` by any list so far. */
export type SplitState = "none" | "waiting" | "unseen";

/** Somebody's stock, at 100 by its source. */
export const aTargetStock = async (person: Somebody) => {
  const { stock } = Added.parse(await person.action("add-stock", { symbol: "AAPL", currency: "USD" }));
  const instrumentId = crypto.randomUUID();
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO instruments VALUES (?, 'a test', 'twelvedata', 'AAPL', 'XNAS', 'USD', 'Apple', NULL, 0)",
    ).bind(instrumentId),
    env.DB.prepare("INSERT INTO quotes VALUES (?, '100', NULL, '2026-01-01T00:00:00.000Z', ?, NULL, 0)").bind(
      instrumentId,
      MARK,
    ),
    env.DB.prepare("UPDATE stocks SET instrument_id = ?, quote_mark = ?, auto_price = 1, notify = 1 WHERE id = ?").bind(
      instrumentId,
      MARK,
      stock.id,
    ),
  ]);
  return {
    /** The source's price of now is below the lower target, which is a new one, under another symbol each time. */
    hit: async (nth: number, split: SplitState, nowMs: number): Promise<void> => {
      await env.DB.batch([
        env.DB.prepare("UPDATE quotes SET as_of = ? WHERE instrument_id = ?").bind(
          new Date(nowMs).toISOString(),
          instrumentId,
        ),
        env.DB.prepare("DELETE FROM splits WHERE instrument_id = ?").bind(instrumentId),
        env.DB.prepare("INSERT INTO splits SELECT ?, '2999-01-01', 10, 1 WHERE ?").bind(
          instrumentId,
          Number(split === "unseen"),
        ),
        env.DB.prepare(
          "UPDATE stocks SET symbol = ?, target_low = ?, alert_marks = NULL, pending_split = ? WHERE id = ?",
        ).bind(`S${nth}`, String(200 + nth), split === "waiting" ? SPLIT : null, stock.id),
      ]);
    },
  };
};
