/** Creates the tables of turns when a migration has not run, from the migrations' own text. */
import turns from "../../migrations/0000_turns.sql";
import models from "../../migrations/0004_models.sql";
import dayCosts from "../../migrations/0005_day_costs.sql";
import runMarks from "../../migrations/0011_run_marks.sql";
import undoneRuns from "../../migrations/0014_undone_runs.sql";
import threadDeletions from "../../migrations/0020_thread_deletions.sql";
import type { Db } from "./db.ts";

/** What drizzle-kit writes between two statements. */
const BREAKPOINT = "--> statement-breakpoint";

/**
 * Applies the migrations that create these tables. Every statement says IF NOT EXISTS, so the migrations themselves can still run later;
 * these migrations must not contain any other kind of statement (decision 0075).
 */
const ensureTurnTables = async ({ $client: d1 }: Db): Promise<void> => {
  const statements = [turns, models, dayCosts, runMarks, undoneRuns, threadDeletions].flatMap((migration) =>
    migration.split(BREAKPOINT),
  );
  await d1.batch(statements.map((statement) => d1.prepare(statement)));
};

/**
 * Queries the database, and queries it once more if a table was missing: only a database that never saw a migration pays for this. `ask`
 * must change nothing when it fails. `isAgain`: a table was missing, and only the tables of turns have been created.
 */
export const withTurnTables = async <Result>(db: Db, ask: (isAgain: boolean) => Promise<Result>): Promise<Result> => {
  try {
    return await ask(false);
  } catch (error) {
    if (!isMissingTable(error)) throw error;
    await ensureTurnTables(db);
    return await ask(true);
  }
};

/** Whether a statement failed because a migration has not run. */
export const isMissingTable = (error: unknown): boolean =>
  error instanceof Error && (error.message.includes("no such table") || isMissingTable(error.cause));
