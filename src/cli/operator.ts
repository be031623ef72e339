/**
 * `npm run operator`: what today cost, which runs hang, and whether the cron works. `-- --remote` queries the deployed database,
 * `-- --delete EMAIL` deletes an account instead.
 */

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod";
import { DAY_MS, dayOf } from "../contract/day.ts";
import { budgetHash, ownerHash } from "../contract/digest.ts";
import { parseJson } from "../contract/parse-json.ts";
import { fromPicoUsd, TITLE_OF } from "../db/pico-usd.ts";
import { runProgram, StartRefusal } from "../process/run-program.ts";
import { runWrangler } from "./dev/wrangler.ts";
import { deleteAccount } from "./operator-deletion.ts";

const MINUTE_MS = 60_000;

const HOUR_MS = 60 * MINUTE_MS;

/** Open runs older than this are listed: few run for half an hour. */
const LONG_MS = HOUR_MS;

/** Nothing should take longer than this: a person has a day to answer, and a run half an hour. */
const HANGING_MS = 25 * HOUR_MS;

/** How late the cron may be with its work of each minute. */
const CRON_GRACE_MS = 10 * MINUTE_MS;

/** Most runs listed. */
const MAX_RUNS = 20;

/** The statements, in the order of `Answers`. The only values in them are times of this program, so nothing has to be bound. */
const operatorQueries = (nowMs: number): string => {
  const today = dayOf(nowMs);
  const midnightMs = Date.parse(`${today}T00:00:00.000Z`);
  const sincePassed = `<= ${nowMs - CRON_GRACE_MS}`;
  const overdue = [
    ["expired log-ins", "logins", `expires_at_ms ${sincePassed}`],
    ["expired codes", "sign_in_codes", `expires_at_ms ${sincePassed}`],
    ["sign-in counters", "sign_in_attempts", `window_end_ms ${sincePassed}`],
    ["idempotency keys", "idempotency_keys", `created_at_ms <= ${nowMs - DAY_MS - HOUR_MS}`],
    ["account deletions", "account_deletions", `requested_at_ms ${sincePassed}`],
    [
      "notices (unless NOTICES_PAUSED or OFFLINE holds them)",
      "notices",
      `state = 'waiting' AND due_at_ms ${sincePassed}`,
    ],
    // An occurrence that is refused for a passing reason is tried for half an hour.
    [
      "schedules (unless SCHEDULES_PAUSED or AGENT_PAUSED holds them)",
      "schedules",
      `state = 'active' AND due_at_ms <= ${nowMs - HOUR_MS}`,
    ],
    ["sessions on a host", "host_deletions", `due_at_ms ${sincePassed}`],
  ].map(([what, table, isLate]) => `('${what}', (SELECT count(*) FROM ${table} WHERE ${isLate}))`);
  return [
    `SELECT owner_email AS owner, CAST(sum(cost_pico_usd) AS TEXT) AS cost FROM runs JOIN run_costs AS c USING (owner_email, thread_id)
       WHERE c.run_id IN (runs.run_id, '${TITLE_OF}' || runs.run_id) AND finished_at_ms >= ${midnightMs} GROUP BY owner_email ORDER BY sum(cost_pico_usd) DESC`,
    `SELECT owner_hash AS owner, CAST(cost_pico_usd AS TEXT) AS cost FROM day_costs WHERE day = '${today}' AND id = ''
       ORDER BY cost_pico_usd DESC`,
    `SELECT run_id AS run, owner_email AS owner, created_at_ms AS createdAtMs FROM runs
       WHERE finished_at_ms IS NULL AND created_at_ms <= ${nowMs - LONG_MS} ORDER BY created_at_ms LIMIT ${MAX_RUNS}`,
    `SELECT count(*) AS open, coalesce(sum(created_at_ms <= ${nowMs - LONG_MS}), 0) AS long,
       coalesce(sum(created_at_ms <= ${nowMs - HANGING_MS}), 0) AS hanging FROM runs WHERE finished_at_ms IS NULL`,
    // D1 takes at most five terms of a compound SELECT, and any number of rows.
    `SELECT column1 AS what, column2 AS count FROM (VALUES ${overdue.join(", ")})`,
  ].join(";\n");
};

const results = <Row extends z.ZodType>(row: Row) => z.object({ results: z.array(row) });

const Cost = z.object({ owner: z.string(), cost: z.string() });

/** Wrangler's output for the statements with `--json`. */
const Answers = z.tuple([
  results(Cost),
  results(Cost),
  results(z.object({ run: z.string(), owner: z.string(), createdAtMs: z.number() })),
  results(z.object({ open: z.number(), long: z.number(), hanging: z.number() })),
  results(z.object({ what: z.string(), count: z.number() })),
]);

type Answers = z.infer<typeof Answers>;

/** The report, as it is printed. */
const operatorReport = async (answers: Answers, nowMs: number): Promise<string> => {
  const [{ results: ended }, { results: counted }, { results: long }, { results: sums }, { results: overdue }] =
    answers;
  const [counts] = sums;
  const kept = await Promise.all(ended.map(async ({ owner, cost }) => ({ owner: await budgetHash(owner), cost })));
  const all = kept.reduce((sum, { cost }) => sum + BigInt(cost), 0n);
  const total = counted.find(({ owner }) => owner === "");
  const late = overdue.filter(({ count }) => count > 0);
  const runs = await Promise.all(
    long.map(
      async ({ run, owner, createdAtMs }) =>
        `  ${run}  ${await ownerHash(owner)}  ${Math.floor((nowMs - createdAtMs) / HOUR_MS)} h`,
    ),
  );
  return [
    `Spent on models on ${dayOf(nowMs)} (UTC)`,
    `  ${dollars(String(all))} by runs that ended today, in threads that still exist`,
    ...kept.map(({ owner, cost }) => `    ${owner}  ${dollars(cost)}`),
    ...(total === undefined
      ? ["  nothing counted for the day's budgets: none is set, or nothing has ended under one"]
      : [`  ${dollars(total.cost)} counted for the day's budgets, including deleted threads and summaries by hand`]),
    ...counted.filter(({ owner }) => owner !== "").map(({ owner, cost }) => `    ${owner}  ${dollars(cost)}`),
    "",
    `Runs that D1 considers live: ${counts?.open ?? 0}`,
    `  ${counts?.long ?? 0} for more than an hour: they wait for a person, or hang; only a run's object knows which`,
    `  ${counts?.hanging ?? 0} for more than 25 hours, which should never happen: their end is in an outbox that cannot be delivered, or they hang`,
    ...runs,
    "",
    ...(late.length === 0
      ? ["The cron's work is done."]
      : [
          "The cron does not get its work done; look for its exception with `npx wrangler tail`:",
          ...late.map(({ what, count }) => `  ${count} ${what}`),
        ]),
    "Failing alarms of objects appear only in the log: `npx wrangler tail --status error`.",
    "",
  ].join("\n");
};

const dollars = (pico: string): string => `$${fromPicoUsd(pico) ?? "0"}`;

const FLAGS = {
  remote: { type: "boolean", default: false },
  "persist-to": { type: "string", default: ".wrangler/state" },
  delete: { type: "string" },
} as const;

const readOptions = () => {
  try {
    return parseArgs({ options: FLAGS }).values;
  } catch {
    throw new StartRefusal("Options: --remote, --persist-to DIR, --delete EMAIL.", 2);
  }
};

/** Says which command makes the missing tables. The database itself exists once it has been queried, but without tables. */
const missingTables = ({ remote, "persist-to": dir }: ReturnType<typeof readOptions>): string => {
  if (remote) return "The deployed database lacks tables. `npm run deploy` makes them.";
  const where = dir === FLAGS["persist-to"].default ? "" : ` -- --persist-to ${dir}`;
  return `The database in ${dir} lacks tables. Start \`npm run dev${where}\` once, or run \`npm run db:migrate${where}\`.`;
};

await runProgram(async (signal) => {
  const options = readOptions();
  const where = options.remote ? ["--remote"] : ["--local", "--persist-to", resolve(options["persist-to"])];
  const query = async (sql: string): Promise<string> => {
    const args = ["d1", "execute", "DB", "--json", ...where, "--command", sql];
    const { exitCode, output, stdout } = await runWrangler(args, { relay: false, signal });
    if (exitCode !== 0 && output.includes("no such table")) throw new StartRefusal(missingTables(options));
    if (exitCode !== 0)
      throw new StartRefusal(`${output}The database could not be queried; wrangler's output is above.`);
    return stdout;
  };
  if (options.delete !== undefined) return await deleteAccount(options.delete, query, signal);
  const nowMs = Date.now();
  process.stdout.write(await operatorReport(Answers.parse(parseJson(await query(operatorQueries(nowMs)))), nowMs));
});
