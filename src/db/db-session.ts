/**
 * D1 sessions (https://developers.cloudflare.com/d1/best-practices/read-replication/): a read may come from a copy of the
 * database near the caller, not older than a bookmark. While read replication is off, all is the database itself.
 */
import { type Db, openDb } from "./db.ts";

/** For reads: any copy that has reached the bookmark, or any at all. */
export const openReadDb = (binding: D1Database, bookmark: string | undefined): Db => {
  const session = binding.withSession(bookmark ?? "first-unconstrained");
  return openDb(withMethods(binding, session, session));
};

/**
 * For changes. `bookmark` gives the moment of the last batch, undefined before it. All goes to the database itself, what
 * is read as well: a copy could show, again and again, what somebody else has changed by now.
 */
export const openWriteDb = (binding: D1Database): { readonly db: Db; readonly bookmark: () => string | undefined } => {
  let last: D1DatabaseSession | undefined;
  const batched = {
    // The first of a session goes to the database itself, so each batch has one of its own.
    batch: <Row>(statements: D1PreparedStatement[]): Promise<D1Result<Row>[]> => {
      last = binding.withSession("first-primary");
      return last.batch(statements);
    },
  };
  return { db: openDb(withMethods(binding, binding, batched)), bookmark: () => last?.getBookmark() ?? undefined };
};

const BOOKMARK = /^[\da-f]{8}-[\da-f]{8}-[\da-f]{8}-[\da-f]{32}$/;

/** Whether a text has the form of D1's bookmarks. One that D1 never gave out passes, too. */
export const isBookmark = (text: string): boolean => BOOKMARK.test(text);

/** The binding, with single statements and batches somewhere else. */
const withMethods = (
  binding: D1Database,
  single: Pick<D1Database, "prepare">,
  batched: Pick<D1Database, "batch">,
): D1Database => ({
  prepare: (query) => single.prepare(query),
  batch: (statements) => batched.batch(statements),
  exec: (query) => binding.exec(query),
  withSession: (constraint) => binding.withSession(constraint),
  dump: () => binding.dump(),
});
