/** Makes the tables a turn start needs where the migration has not run (spec §4.1.4), from the migration's own text. */
import migration from "../../migrations/0000_turns.sql";
import type { Db } from "./db.ts";

/** What drizzle-kit writes between two statements. */
const BREAKPOINT = "--> statement-breakpoint";

/** Applies the migration. Every statement in it says IF NOT EXISTS, so the migration proper can still run later. */
export const ensureTurnTables = async ({ $client: d1 }: Db): Promise<void> => {
  await d1.batch(migration.split(BREAKPOINT).map((statement) => d1.prepare(statement)));
};

/** Whether an error says that a table is missing. */
export const isMissingTable = (error: unknown): boolean =>
  error instanceof Error && error.message.includes("no such table");
