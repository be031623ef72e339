/**
 * What was spent on models in a day (UTC), by owner and in total: counters that a turn start reads in its own batch. Owners are
 * identified by `budgetHash`, so the counters outlive accounts: deleting one does not renew a budget.
 */
import type { CostUsd } from "../contract/run.ts";
import type { Db } from "./db.ts";
import { withTurnTables } from "./ensure-turn-tables.ts";
import { fromPicoUsd, toPicoUsd } from "./pico-usd.ts";

/** The cost of one run, or of one summary by hand. `id` is counted once a day, however often it is reported. */
export type DayCost = {
  readonly id: string;
  readonly ownerHash: string;
  /** `2026-11-22`. */
  readonly day: string;
  readonly costUsd: CostUsd;
};

/** The day's limits that a turn start must keep. */
export type DayLimits = {
  readonly day: string;
  readonly ownerHash: string;
  readonly ownerUsd: CostUsd | undefined;
  readonly allUsd: CostUsd | undefined;
};

/** What has been spent, as digits; null when nothing was. */
export type DaySpent = { readonly owner_spent: string | null; readonly all_spent: string | null };

/** The statement that counts a cost, for a batch. */
export const countCost = ({ $client: d1 }: Db, { id, ownerHash, day, costUsd }: DayCost): D1PreparedStatement =>
  d1
    .prepare(
      `INSERT INTO day_costs (day, owner_hash, id, cost_pico_usd)
       SELECT ?1, owner_hash, id, CAST(?4 AS INTEGER)
       FROM (SELECT '' AS owner_hash, '' AS id UNION ALL SELECT ?2, '' UNION ALL SELECT ?2, ?3)
       WHERE NOT EXISTS (SELECT 1 FROM day_costs WHERE day = ?1 AND owner_hash = ?2 AND id = ?3)
       ON CONFLICT (day, owner_hash, id) DO UPDATE SET cost_pico_usd = cost_pico_usd + excluded.cost_pico_usd`,
    )
    .bind(day, ownerHash, id, toPicoUsd(costUsd));

/** Counts a cost on its own, outside any other batch. */
export const addDayCost = async (db: Db, cost: DayCost): Promise<void> => {
  await withTurnTables(db, () => countCost(db, cost).run());
};

/** Whether the day's limits leave anything. Its parameters, `limitParameters`, start at `first`; without limits there are none. */
export const hasDayLeft = (limits: DayLimits | undefined, first: number): string =>
  limits === undefined
    ? "1"
    : `coalesce(${spent(first, `?${first + 1}`)} < CAST(?${first + 2} AS INTEGER), ?${first + 2} IS NULL)
       AND coalesce(${spent(first, "''")} < CAST(?${first + 3} AS INTEGER), ?${first + 3} IS NULL)`;

/** Columns of what has been spent, with the parameters of `hasDayLeft`. */
export const daySpent = (limits: DayLimits | undefined, first: number): string =>
  limits === undefined
    ? "NULL AS owner_spent, NULL AS all_spent"
    : `CAST(${spent(first, `?${first + 1}`)} AS TEXT) AS owner_spent, CAST(${spent(first, "''")} AS TEXT) AS all_spent`;

/** The parameters of `hasDayLeft` and `daySpent`. */
export const limitParameters = (limits: DayLimits | undefined): (string | null)[] =>
  limits === undefined
    ? []
    : [
        limits.day,
        limits.ownerHash,
        ...[limits.ownerUsd, limits.allUsd].map((limit) => (limit === undefined ? null : toPicoUsd(limit))),
      ];

const spent = (day: number, owner: string): string =>
  `coalesce((SELECT cost_pico_usd FROM day_costs WHERE day = ?${day} AND owner_hash = ${owner} AND id = ''), 0)`;

/** What has been spent under these limits, for anything that is not a turn start. */
export const findDaySpent = async (db: Db, limits: DayLimits): Promise<{ owner: CostUsd; all: CostUsd }> => {
  const ask = db.$client.prepare(`SELECT ?3, ?4, ${daySpent(limits, 1)}`).bind(...limitParameters(limits));
  return readDaySpent(await withTurnTables(db, () => ask.first<DaySpent>()));
};

/** Reads the columns of `daySpent`. */
export const readDaySpent = (row: DaySpent | null): { owner: CostUsd; all: CostUsd } => ({
  owner: fromPicoUsd(row?.owner_spent ?? "0") ?? "0",
  all: fromPicoUsd(row?.all_spent ?? "0") ?? "0",
});
