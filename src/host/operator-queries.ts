/** What the operator's command asks D1: reads alone, each a statement that wrangler runs. */
import * as z from "zod";
import { dayOf } from "../contract/day.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** From this age on a run that is not ended is named: few run for half an hour. */
const LONG_MS = HOUR_MS;

/** Nothing takes longer than this: a person has a day to answer, and a run half an hour. */
const HANGING_MS = 25 * HOUR_MS;

/** How late the cron may be with what it does each minute. */
const CRON_GRACE_MS = 10 * MINUTE_MS;

/** Most runs that are named. */
const MAX_RUNS = 20;

/** The statements, in the order of `Answers`. Times are this program's and no text of anybody: there is nothing to bind. */
export const operatorQueries = (nowMs: number): string => {
  const today = dayOf(nowMs);
  const midnightMs = Date.parse(`${today}T00:00:00.000Z`);
  const overdue = [
    ["expired log-ins", "logins", `expires_at_ms <= ${nowMs - CRON_GRACE_MS}`],
    ["expired codes", "sign_in_codes", `expires_at_ms <= ${nowMs - CRON_GRACE_MS}`],
    ["sign-in counters", "sign_in_attempts", `window_end_ms <= ${nowMs - CRON_GRACE_MS}`],
    ["idempotency keys", "idempotency_keys", `created_at_ms <= ${nowMs - DAY_MS - HOUR_MS}`],
    ["account deletions", "account_deletions", `requested_at_ms <= ${nowMs - CRON_GRACE_MS}`],
  ].map(([what, table, isLate]) => `SELECT '${what}' AS what, count(*) AS count FROM ${table} WHERE ${isLate}`);
  return [
    `SELECT owner_email AS owner, CAST(sum(cost_pico_usd) AS TEXT) AS cost FROM runs JOIN run_costs USING (owner_email, thread_id, run_id)
       WHERE finished_at_ms >= ${midnightMs} GROUP BY owner_email ORDER BY sum(cost_pico_usd) DESC`,
    `SELECT owner_hash AS owner, CAST(cost_pico_usd AS TEXT) AS cost FROM day_costs WHERE day = '${today}' AND id = ''
       ORDER BY cost_pico_usd DESC`,
    `SELECT run_id AS run, owner_email AS owner, created_at_ms AS createdAtMs FROM runs
       WHERE finished_at_ms IS NULL AND created_at_ms <= ${nowMs - LONG_MS} ORDER BY created_at_ms LIMIT ${MAX_RUNS}`,
    `SELECT count(*) AS open, coalesce(sum(created_at_ms <= ${nowMs - LONG_MS}), 0) AS long,
       coalesce(sum(created_at_ms <= ${nowMs - HANGING_MS}), 0) AS hanging FROM runs WHERE finished_at_ms IS NULL`,
    overdue.join(" UNION ALL "),
  ].join(";\n");
};

const results = <Row extends z.ZodType>(row: Row) => z.object({ results: z.array(row) });
const Cost = z.object({ owner: z.string(), cost: z.string() });

/** What wrangler prints of them with `--json`. */
export const Answers = z.tuple([
  results(Cost),
  results(Cost),
  results(z.object({ run: z.string(), owner: z.string(), createdAtMs: z.number() })),
  results(z.object({ open: z.number(), long: z.number(), hanging: z.number() })),
  results(z.object({ what: z.string(), count: z.number() })),
]);
export type Answers = z.infer<typeof Answers>;
