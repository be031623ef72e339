/** Many stocks at once: through the front door they would take a request for each hundred. */
import { env } from "cloudflare:test";
import { getTableColumns } from "drizzle-orm";
import { stocks } from "../../../src/db/stock-tables.ts";

/** Copies a stock so many times, with symbols that end in `-1` and so on. The copies have no history. */
export const copyStock = async (id: string, count: number): Promise<void> => {
  const columns = Object.values(getTableColumns(stocks)).map(({ name }) => `"${name}"`);
  const copied = columns.map((column) => (['"id"', '"symbol"'].includes(column) ? `${column} || '-' || n` : column));
  await env.DB.prepare(
    `INSERT INTO stocks (${columns.join(", ")})
     WITH RECURSIVE nth(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM nth WHERE n < ?2)
     SELECT ${copied.join(", ")} FROM nth JOIN stocks ON id = ?1`,
  )
    .bind(id, count)
    .run();
};
