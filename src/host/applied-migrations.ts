/**
 * Which migrations a persist directory has already: asking wrangler takes a second, on every start. Whenever the record and
 * what is there do not agree, wrangler is asked.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where wrangler keeps local databases. Were it elsewhere one day, every start would ask. */
const DATABASES_DIR = "v3/d1/miniflare-D1DatabaseObject";

/** Beside the databases themselves. */
const NO_DATABASE = "metadata.sqlite";

const recordIn = (persistTo: string): string => join(persistTo, "migrations");

/** Whether there is a database, with or without tables. */
export const hasDatabase = (persistTo: string): boolean => {
  const databases = join(persistTo, DATABASES_DIR);
  if (!existsSync(databases)) return false;
  return readdirSync(databases).some((name) => name.endsWith(".sqlite") && name !== NO_DATABASE);
};

/** Whether the last record names just these migrations, and there is a database that can have them. */
export const areApplied = (persistTo: string, names: readonly string[]): boolean => {
  const record = recordIn(persistTo);
  return existsSync(record) && hasDatabase(persistTo) && readFileSync(record, "utf8") === textOf(names);
};

/** Says that the database has these, and no others. */
export const recordApplied = (persistTo: string, names: readonly string[]): void =>
  writeFileSync(recordIn(persistTo), textOf(names));

/** One name a line. */
const textOf = (names: readonly string[]): string => names.map((name) => `${name}\n`).join("");
