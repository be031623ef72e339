/**
 * Exchange rates as they are stored and used: how much of each currency one euro is worth. Lists read them within their own statements
 * (`stock-list.ts`).
 */
import * as z from "zod";
import { DecimalText } from "../../contract/stocks/decimal.ts";
import type { Db } from "../db.ts";

/** The reference rates of one day, `YYYY-MM-DD`. EUR itself is not among them. */
export const EuroRates = z.object({ day: z.iso.date(), rates: z.record(z.string(), DecimalText) });
export type EuroRates = z.infer<typeof EuroRates>;

/** The newest day that is stored, and when the source was asked last; undefined when there is none. */
export const newestRates = async ({
  $client: d1,
}: Db): Promise<{ readonly day: string; readonly fetchedAtMs: number } | undefined> => {
  const statement = d1.prepare(`SELECT day, fetched_at_ms AS "fetchedAtMs" FROM fx ORDER BY day DESC LIMIT 1`);
  return (await statement.first<{ day: string; fetchedAtMs: number }>()) ?? undefined;
};

/** Stores the rates of a day, or corrects them. */
export const saveRates = async ({ $client: d1 }: Db, { day, rates }: EuroRates, nowMs: number): Promise<void> => {
  await d1
    .prepare("INSERT OR REPLACE INTO fx (day, rates, fetched_at_ms) VALUES (?, ?, ?)")
    .bind(day, JSON.stringify(rates), nowMs)
    .run();
};
