/** Ends the time that deleted stocks are kept (CONTRACT §5). */
import type { Db } from "./db.ts";

/** How long the trash keeps a stock, in ms: 30 days. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

/** Most stocks that go at once: their history goes along, and a statement of D1's has 30 s. The rest goes a minute later. */
const MAX_STOCKS = 500;

/** Removes stocks that have been in the trash for long enough, with their history. */
export const purgeTrash = async ({ $client: d1 }: Db, nowMs: number): Promise<void> => {
  await d1
    .prepare(`DELETE FROM stocks WHERE id IN (SELECT id FROM stocks WHERE deleted_at <= ? LIMIT ${MAX_STOCKS})`)
    .bind(new Date(nowMs - KEPT_MS).toISOString())
    .run();
};
