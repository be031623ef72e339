/** The smallest question the database can answer. */
import { sql } from "drizzle-orm";
import type { Db } from "./db.ts";

/** Resolves when the database answers; rejects with D1's own error when it does not. */
export const pingDb = async (db: Db): Promise<void> => {
  await db.run(sql`SELECT 1`);
};
