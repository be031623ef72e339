/** The stored exchange rates. Lists read them in a statement of their own (`stock-list.ts`). */
import type { EuroRates } from "../../contract/prices/euro-rates.ts";
import type { Db } from "../db.ts";

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
