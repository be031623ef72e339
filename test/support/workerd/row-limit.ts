/**
 * What the deployed databases refuse and the local runtime takes: a value or a row of more than 2 MB
 * (https://developers.cloudflare.com/durable-objects/platform/limits/, https://developers.cloudflare.com/d1/platform/limits/).
 */

/** Of a row, and of each value. */
const MAX_BYTES = 2_000_000;

const sizeOf = (value: unknown): number => {
  if (typeof value === "string") return Buffer.byteLength(value);
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? value.byteLength : 8;
};

/** Whether what is bound becomes one row, and not the rows of `json_each`, or a condition. */
const isRow = (query: string): boolean => /^\s*(INSERT|UPDATE|REPLACE)\b/i.test(query) && !/\bjson_each\b/i.test(query);

const refuseLarge = (query: string, values: readonly unknown[], error: string): void => {
  const sizes = values.map(sizeOf);
  const bytes = isRow(query) ? sizes.reduce((sum, size) => sum + size, 0) : Math.max(0, ...sizes);
  if (bytes > MAX_BYTES) throw new Error(error);
};

const limited = new WeakSet<object>();

/** Limits every object's SQLite: `sql` is one of them, and they share their methods. */
export const limitSql = (sql: SqlStorage): void => {
  const shared: Pick<SqlStorage, "exec"> = Object.getPrototypeOf(sql);
  if (limited.has(shared)) return;
  limited.add(shared);
  const { exec } = shared;
  shared.exec = function (this: SqlStorage, query, ...values) {
    refuseLarge(query, values, "string or blob too big: SQLITE_TOOBIG");
    return exec.call(this, query, ...values);
  } as SqlStorage["exec"];
};

/** Limits D1. */
export const limitD1 = (d1: D1Database): void => {
  const shared: Pick<D1PreparedStatement, "bind"> = Object.getPrototypeOf(d1.prepare("SELECT 1"));
  if (limited.has(shared)) return;
  limited.add(shared);
  const { bind } = shared;
  shared.bind = function (this: D1PreparedStatement, ...values) {
    refuseLarge(String(Object(this).statement), values, "D1_ERROR: string or blob too big: SQLITE_TOOBIG");
    return bind.call(this, ...values);
  };
};
