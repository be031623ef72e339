/** Many stocks at once: through the front door they would take a request for each hundred. */
import { env } from "cloudflare:test";
import { getTableColumns } from "drizzle-orm";
import { stocks } from "../../../src/db/stock-tables.ts";

/** What copies of a stock have of their own. */
const OWN = {
  symbol: { '"id"': "id || '-' || n", '"symbol"': "symbol || '-' || n" },
  exchange: { '"id"': "id || '-' || n", '"exchange"': "CAST(1000 + n AS TEXT)" },
};

/**
 * Copies a stock so many times, with symbols that end in `-1` and so on, or on the exchanges `1001` and so on. The copies have no
 * history.
 */
export const copyStock = async (id: string, count: number, own: keyof typeof OWN = "symbol"): Promise<void> => {
  const columns = Object.values(getTableColumns(stocks)).map(({ name }) => `"${name}"`);
  const values = new Map(Object.entries(OWN[own]));
  const copied = columns.map((column) => values.get(column) ?? column);
  await env.DB.prepare(
    `INSERT INTO stocks (${columns.join(", ")})
     WITH RECURSIVE nth(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM nth WHERE n < ?2)
     SELECT ${copied.join(", ")} FROM nth JOIN stocks ON id = ?1`,
  )
    .bind(id, count)
    .run();
};
