/** Drops what is over: log-ins, codes and counts. */
import type { Db } from "../db/db.ts";
import { MAX_LOGIN_MS } from "./create-auth.ts";

/** What goes by when it ends, and log-ins by their age as well. */
const OVER = [
  "logins WHERE expires_at_ms",
  "sign_in_codes WHERE expires_at_ms",
  "sign_in_attempts WHERE window_end_ms",
];

/** One transaction, by indexes: nothing is read that stays. */
export const dropOld = async ({ $client: d1 }: Db, nowMs: number): Promise<void> => {
  await d1.batch([
    ...OVER.map((rows) => d1.prepare(`DELETE FROM ${rows} <= ?`).bind(nowMs)),
    d1.prepare("DELETE FROM logins WHERE created_at_ms <= ?").bind(nowMs - MAX_LOGIN_MS),
  ]);
};
