/** A list of stocks in a plain table: a column for each field that came, and the rest of the answer beside it. */

type ListAnswer = { readonly items: readonly Readonly<Record<string, unknown>>[] } & Readonly<Record<string, unknown>>;

/** Keeps an answer of the product's. */
export const keepList = async (db: D1Database, { items, ...rest }: ListAnswer): Promise<void> => {
  const names = Object.keys(items[0] ?? {});
  const columns = names.map((name) => `"${name}"`).join(", ");
  const marks = names.map(() => "?").join(", ");
  const insert = db.prepare(`INSERT INTO stocks (${columns}) VALUES (${marks})`);
  await db.batch([
    db.prepare("DROP TABLE IF EXISTS stocks"),
    db.prepare("DROP TABLE IF EXISTS list"),
    db.prepare(`CREATE TABLE stocks (${columns})`),
    db.prepare(`CREATE INDEX stocks_symbol ON stocks (symbol)`),
    db.prepare("CREATE TABLE list (rest TEXT)"),
    db.prepare("INSERT INTO list VALUES (?)").bind(JSON.stringify(rest)),
    // Tags are an array, switches are booleans: neither is a value of SQLite.
    ...items.map((item) => insert.bind(...names.map((name) => sqlValue(item[name])))),
  ]);
};

/** Gives it back: the same stocks by one query, in their order. */
export const readList = async (db: D1Database): Promise<ListAnswer> => {
  const [stocks, list] = await db.batch<Record<string, unknown>>([
    db.prepare("SELECT * FROM stocks ORDER BY symbol LIMIT 100"),
    db.prepare("SELECT rest FROM list"),
  ]);
  const items = (stocks?.results ?? []).map((row) => ({
    ...row,
    watched: row.watched === 1,
    tags: JSON.parse(String(row.tags)),
  }));
  return { items, ...JSON.parse(String(list?.results[0]?.rest)) };
};

const sqlValue = (value: unknown): unknown =>
  typeof value === "boolean" ? Number(value) : Array.isArray(value) ? JSON.stringify(value) : value;
