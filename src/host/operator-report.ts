/** The operator's report in words. People are named by the hash that the logs name them by. */
import { dayOf } from "../contract/day.ts";
import { ownerHash } from "../contract/owner-hash.ts";
import { fromPicoUsd } from "../db/pico-usd.ts";
import type { Answers } from "./operator-queries.ts";

const HOUR_MS = 60 * 60_000;

/** The report, as it is printed. */
export const operatorReport = async (answers: Answers, nowMs: number): Promise<string> => {
  const [{ results: ended }, { results: counted }, { results: long }, { results: sums }, { results: overdue }] =
    answers;
  const [counts] = sums;
  const kept = await Promise.all(ended.map(async ({ owner, cost }) => ({ owner: await ownerHash(owner), cost })));
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
    `  ${dollars(String(all))} by runs that ended today, in threads that are still there`,
    ...kept.map(({ owner, cost }) => `    ${owner}  ${dollars(cost)}`),
    ...(total === undefined
      ? ["  nothing counted for a budget of the day: none is set, or nothing has ended under one"]
      : [`  ${dollars(total.cost)} counted for the day's budgets, deleted threads and summaries by hand among it`]),
    ...counted.filter(({ owner }) => owner !== "").map(({ owner, cost }) => `    ${owner}  ${dollars(cost)}`),
    "",
    `Runs that D1 takes for live: ${counts?.open ?? 0}`,
    `  ${counts?.long ?? 0} for more than an hour: they wait for a person, or hang; only a run's object knows which`,
    `  ${counts?.hanging ?? 0} for more than 25 hours, which none should: their end is in an outbox that cannot be delivered, or they hang`,
    ...runs,
    "",
    ...(late.length === 0
      ? ["The cron's work is done."]
      : [
          "The cron does not get its work done; look for its exception with `npx wrangler tail`:",
          ...late.map(({ what, count }) => `  ${count} ${what}`),
        ]),
    "Alarms of objects that fail are known to the log alone: `npx wrangler tail --status error`.",
    "",
  ].join("\n");
};

const dollars = (pico: string): string => `$${fromPicoUsd(pico) ?? "0"}`;
