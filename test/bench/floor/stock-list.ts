/**
 * A list of stocks in a plain table: a column for each field that came. Count and totals are asked for as a bare app would,
 * in plain SQL: sums of floats, where the product's are exact.
 */

type ListAnswer = { readonly items: readonly Readonly<Record<string, unknown>>[] } & Readonly<Record<string, unknown>>;

/** Keeps the stocks of an answer of the product's. */
export const keepList = async (db: D1Database, { items }: ListAnswer): Promise<void> => {
  const names = Object.keys(items[0] ?? {});
  const columns = names.map((name) => `"${name}"`).join(", ");
  const marks = names.map(() => "?").join(", ");
  const insert = db.prepare(`INSERT INTO stocks (${columns}) VALUES (${marks})`);
  await db.batch([
    db.prepare("DROP TABLE IF EXISTS stocks"),
    db.prepare(`CREATE TABLE stocks (${columns})`),
    db.prepare(`CREATE INDEX stocks_symbol ON stocks (symbol)`),
    // Tags are an array, switches are booleans: neither is a value of SQLite.
    ...items.map((item) => insert.bind(...names.map((name) => sqlValue(item[name])))),
  ]);
};

/** Returns the page: the same stocks in order, their count, and the totals of each currency. */
export const readList = async (db: D1Database): Promise<ListAnswer> => {
  const [stocks, count, totals] = await db.batch<Record<string, unknown>>([
    db.prepare("SELECT * FROM stocks ORDER BY symbol LIMIT 100"),
    db.prepare("SELECT count(*) AS total FROM stocks"),
    db.prepare(TOTALS),
  ]);
  const items = (stocks?.results ?? []).map((row) => ({
    ...row,
    watched: row.watched === 1,
    tags: JSON.parse(String(row.tags)),
  }));
  return { items, total: count?.results[0]?.total, nextCursor: null, totals: totals?.results };
};

const TOTALS = `
  SELECT currency, CAST(sum(CAST(costBasis AS REAL)) AS TEXT) AS cost, CAST(sum(CAST(marketValue AS REAL)) AS TEXT) AS value,
    CAST(sum(CAST(gain AS REAL)) AS TEXT) AS gain
  FROM stocks WHERE status = 'holding' GROUP BY currency ORDER BY currency`;

const sqlValue = (value: unknown): unknown =>
  typeof value === "boolean" ? Number(value) : Array.isArray(value) ? JSON.stringify(value) : value;
