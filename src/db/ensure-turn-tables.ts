/** Makes the tables of turns where a migration has not run (spec §4.1.4), from the migrations' own text. */

import turns from "../../migrations/0000_turns.sql";
import models from "../../migrations/0004_models.sql";
import dayCosts from "../../migrations/0005_day_costs.sql";
import type { Db } from "./db.ts";

/** What drizzle-kit writes between two statements. */
const BREAKPOINT = "--> statement-breakpoint";

/**
 * Applies the migrations that make them. Every statement says IF NOT EXISTS, so the migrations proper can still run later;
 * no other kind may come among them (docs/decisions/0075).
 */
const ensureTurnTables = async ({ $client: d1 }: Db): Promise<void> => {
  const statements = [turns, models, dayCosts].flatMap((migration) => migration.split(BREAKPOINT));
  await d1.batch(statements.map((statement) => d1.prepare(statement)));
};

/**
 * Asks the database, and once more where a table was missing: only a database that never saw a migration pays for this.
 * `ask` changes nothing when it fails.
 */
export const withTurnTables = async <Result>(db: Db, ask: () => Promise<Result>): Promise<Result> => {
  try {
    return await ask();
  } catch (error) {
    if (!isMissingTable(error)) throw error;
    await ensureTurnTables(db);
    return await ask();
  }
};

const isMissingTable = (error: unknown): boolean =>
  error instanceof Error && (error.message.includes("no such table") || isMissingTable(error.cause));
