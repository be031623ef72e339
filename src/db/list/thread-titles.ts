/** The titles of a person's threads, to search them. */
import { desc, eq } from "drizzle-orm";
import type { OwnerEmail } from "../../contract/ids.ts";
import type { Db } from "../db.ts";
import { withTurnTables } from "../ensure-turn-tables.ts";
import { threads } from "../turn-tables.ts";

/** Most titles that are read: as many chats as a person can have. */
const MAX_TITLES = 5_000;

/** The titles of the owner's threads, newest first. */
export const listTitles = async (
  db: Db,
  owner: OwnerEmail,
): Promise<readonly { readonly threadId: string; readonly title: string }[]> =>
  await withTurnTables(db, () =>
    db
      .select({ threadId: threads.threadId, title: threads.title })
      .from(threads)
      .where(eq(threads.ownerEmail, owner))
      .orderBy(desc(threads.updatedAtMs), desc(threads.threadId))
      .limit(MAX_TITLES),
  );
