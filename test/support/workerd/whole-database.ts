/** All that D1 holds, for what must not be in it. */
import { env } from "cloudflare:test";

/** Every row of every table, as text. */
export const wholeDatabase = async (): Promise<string> => {
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_*' AND name NOT GLOB 'sqlite_*'",
  ).all<{ name: string }>();
  const rows = await Promise.all(tables.map(({ name }) => env.DB.prepare(`SELECT * FROM ${name}`).all()));
  return JSON.stringify(rows.map(({ results }) => results));
};
