/** The titles of threads: the first one of each, and all of a person's, to search them. */
import { desc, eq } from "drizzle-orm";
import type { OwnerEmail } from "../../contract/ids.ts";
import { cutText } from "../../contract/plain-text.ts";
import type { Db } from "../db.ts";
import { withTurnTables } from "../ensure-turn-tables.ts";
import { threads } from "../turn-tables.ts";

/** Longest title made from a prompt, in UTF-16 units. */
const TITLE_LENGTH = 80;

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

/** The beginning of the prompt on one line: a thread's title until somebody renames it. */
export const titleOf = (prompt: string): string => {
  const line = prompt.replace(/\s+/g, " ").trim();
  return line.length <= TITLE_LENGTH ? line : `${cutText(line, TITLE_LENGTH - 1)}…`;
};
