/** The D1 database through drizzle. Only `db/` builds queries with it. */
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";

/** A drizzle handle on one D1 binding; cheap, made per request. */
export type Db = DrizzleD1Database & { readonly $client: D1Database };

/** Wraps the binding. */
export const openDb = (binding: D1Database): Db => drizzle(binding);
