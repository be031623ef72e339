/** Drops what is over: log-ins, codes and counts. */
import type { Db } from "../db/db.ts";

/** One transaction, by indexes: nothing is read that stays. */
export const dropOld = async ({ $client: d1 }: Db, nowMs: number): Promise<void> => {
  await d1.batch(
    ["logins WHERE expires_at_ms", "sign_in_codes WHERE expires_at_ms", "sign_in_attempts WHERE window_end_ms"].map(
      (rows) => d1.prepare(`DELETE FROM ${rows} <= ?`).bind(nowMs),
    ),
  );
};
