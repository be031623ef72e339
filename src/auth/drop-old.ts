/** Deletes expired log-ins, codes and counters. */
import type { Db } from "../db/db.ts";
import { MAX_LOGIN_MS } from "./auth-constants.ts";

/** Rows that expire at a stored time. Log-ins also expire by age. */
const OVER = [
  "logins WHERE expires_at_ms",
  "sign_in_codes WHERE expires_at_ms",
  "sign_in_attempts WHERE window_end_ms",
];

/** One transaction, by indexes: it reads no row that it keeps. */
export const dropOld = async ({ $client: d1 }: Db, nowMs: number): Promise<void> => {
  await d1.batch([
    ...OVER.map((rows) => d1.prepare(`DELETE FROM ${rows} <= ?`).bind(nowMs)),
    d1.prepare("DELETE FROM logins WHERE created_at_ms <= ?").bind(nowMs - MAX_LOGIN_MS),
  ]);
};
