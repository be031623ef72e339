/** Threads of an owner, and the rows that go when one is deleted. */
import { and, desc, eq, lt, or } from "drizzle-orm";
import { HarnessSessionId, type OwnerEmail, type ThreadId } from "../contract/ids.ts";
import type { Db } from "./db.ts";
import { harnessSessions, threads } from "./turn-tables.ts";

/** A thread as D1 knows it. */
export type ThreadRow = typeof threads.$inferSelect;

/** Where a page of threads begins: behind this one. */
export type ThreadCursor = { readonly updatedAtMs: number; readonly threadId: string };

/** The owner's threads, newest first. */
export const listThreads = (
  db: Db,
  owner: OwnerEmail,
  page: { readonly after: ThreadCursor | undefined; readonly limit: number },
): Promise<ThreadRow[]> =>
  db
    .select()
    .from(threads)
    .where(and(eq(threads.ownerEmail, owner), page.after && isBehind(page.after)))
    .orderBy(desc(threads.updatedAtMs), desc(threads.threadId))
    .limit(page.limit);

const isBehind = (after: ThreadCursor) =>
  or(
    lt(threads.updatedAtMs, after.updatedAtMs),
    and(eq(threads.updatedAtMs, after.updatedAtMs), lt(threads.threadId, after.threadId)),
  );

/** Renames a thread; false when the owner has none by that id. */
export const renameThread = async (db: Db, owner: OwnerEmail, threadId: ThreadId, title: string): Promise<boolean> => {
  const renamed = await db
    .update(threads)
    .set({ title })
    .where(and(eq(threads.ownerEmail, owner), eq(threads.threadId, threadId)))
    .returning({ threadId: threads.threadId });
  return renamed.length > 0;
};

/** The harness session of a thread: `undefined` for an unknown thread, `sessionId` null while it has none. */
export const findThreadSession = async (
  db: Db,
  owner: OwnerEmail,
  threadId: ThreadId,
  harness: string,
): Promise<{ sessionId: HarnessSessionId | null } | undefined> => {
  const row = await db
    .select({ sessionId: harnessSessions.id })
    .from(threads)
    .leftJoin(
      harnessSessions,
      and(
        eq(harnessSessions.ownerEmail, threads.ownerEmail),
        eq(harnessSessions.threadId, threads.threadId),
        eq(harnessSessions.harness, harness),
      ),
    )
    .where(and(eq(threads.ownerEmail, owner), eq(threads.threadId, threadId)))
    .get();
  return row && { sessionId: HarnessSessionId.nullable().parse(row.sessionId) };
};
