/**
 * The D1 database through drizzle. Only `db/` and `auth/` query it. With D1 sessions
 * (https://developers.cloudflare.com/d1/best-practices/read-replication/) a read may be answered by a copy of the database near the
 * caller that is not older than a bookmark. While read replication is off, only the database itself answers.
 */
import { sql } from "drizzle-orm";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { within } from "../contract/within.ts";

/** A drizzle handle on one D1 binding; cheap, made per request. */
export type Db = DrizzleD1Database & { readonly $client: D1Database };

/** Wraps the binding. */
export const openDb = (binding: D1Database): Db => drizzle(binding);

/** Longest wait of an impatient handle, in ms: what D1 itself allows a query (https://developers.cloudflare.com/d1/platform/limits/). */
export const D1_LIMIT_MS = 30_000;

/**
 * For an object in which one piece of work waits for another: each statement and each batch rejects with `TimedOut` if D1 has not answered
 * in time. It may never answer, and nothing else would be done until then.
 */
export const openImpatientDb = (binding: D1Database): Db => {
  const statements = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const impatient = (statement: D1PreparedStatement): D1PreparedStatement => {
    const proxy = new Proxy(statement, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== "function") return method;
        return (...args: unknown[]) =>
          name === "bind"
            ? impatient(target.bind(...args))
            : within(D1_LIMIT_MS, () => Promise.resolve(Reflect.apply(method, target, args)));
      },
    });
    statements.set(proxy, statement);
    return proxy;
  };
  const batch = <Row>(list: D1PreparedStatement[]): Promise<D1Result<Row>[]> =>
    within(D1_LIMIT_MS, () => binding.batch<Row>(list.map((one) => statements.get(one) ?? one)));
  return openDb(withMethods(binding, { prepare: (query) => impatient(binding.prepare(query)) }, { batch }));
};

/** Resolves when the database answers; rejects with D1's own error when it does not. */
export const pingDb = async (db: Db): Promise<void> => {
  await db.run(sql`SELECT 1`);
};

/** For reads: any copy that has reached the bookmark, or any at all. */
export const openReadDb = (binding: D1Database, bookmark: string | undefined): Db => {
  const session = binding.withSession(bookmark ?? "first-unconstrained");
  return openDb(withMethods(binding, session, session));
};

/**
 * For changes. `bookmark` returns the newer one of the last batch's and the last single statement's; undefined before the first. Everything
 * goes to the database itself, including reads: a copy could keep showing what somebody else has changed by now.
 */
export const openWriteDb = (binding: D1Database): { readonly db: Db; readonly bookmark: () => string | undefined } => {
  // The first query of a D1 session goes to the database itself, so each statement and each batch gets a new one.
  const newSession = () => binding.withSession("first-primary");
  let alone: D1DatabaseSession | undefined;
  let together: D1DatabaseSession | undefined;
  const single = {
    prepare: (query: string) => {
      alone = newSession();
      return alone.prepare(query);
    },
  };
  const batched = {
    batch: <Row>(statements: D1PreparedStatement[]): Promise<D1Result<Row>[]> => {
      together = newSession();
      return together.batch(statements);
    },
  };
  return {
    db: openDb(withMethods(binding, single, batched)),
    // In alphabetical order, bookmarks are in the order of their moments (https://developers.cloudflare.com/d1/reference/time-travel/).
    bookmark: () => [alone?.getBookmark() ?? "", together?.getBookmark() ?? ""].sort()[1] || undefined,
  };
};

/** For callers that must change nothing. Preparing anything but a SELECT throws `refusal`; without `mayRead`, so does a SELECT. */
export const openRefusingDb = (binding: D1Database, mayRead: boolean, refusal: Error): Db => {
  const prepare = (query: string): D1PreparedStatement => {
    if (mayRead && /^\s*select\b/i.test(query)) return binding.prepare(query);
    throw refusal;
  };
  return openDb(withMethods(binding, { prepare }, binding));
};

/** What D1 says when it could not be asked, or was restarted meanwhile (https://developers.cloudflare.com/d1/observability/debug-d1/). */
const AWAY =
  /Network connection lost|D1 DB is overloaded|reset because its code was updated|caused object to be reset|transient issue on remote node/;

/** Whether D1 failed for a reason that passes. D1 and drizzle both wrap the error that says so. */
export const isAway = (error: unknown): boolean =>
  error instanceof Error && (error.cause === undefined ? AWAY.test(error.message) : isAway(error.cause));

const BOOKMARK = /^[\da-f]{8}-[\da-f]{8}-[\da-f]{8}-[\da-f]{32}$/;

/** Whether a text has the form of D1's bookmarks. One that D1 never issued passes too. */
export const isBookmark = (text: string): boolean => BOOKMARK.test(text);

/** The binding, with single statements and batches redirected. */
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
