/** What a person has set, read and changed in the row that is theirs. */
import { eq } from "drizzle-orm";
import type { OwnerEmail } from "../../contract/ids.ts";
import type { Db } from "../db.ts";
import { settings } from "./price-tables.ts";

/** A person's settings as they are stored. */
export type SettingsRow = typeof settings.$inferSelect;

/** The row; undefined for somebody who never changed anything. */
export const findSettings = (db: Db, owner: OwnerEmail): Promise<SettingsRow | undefined> =>
  db.select().from(settings).where(eq(settings.ownerEmail, owner)).get();

/** Changes the columns that are given. */
export const saveSettings = async (
  db: Db,
  owner: OwnerEmail,
  set: Partial<Omit<SettingsRow, "ownerEmail">>,
): Promise<void> => {
  await db
    .insert(settings)
    .values({ ownerEmail: owner, ...set })
    .onConflictDoUpdate({ target: settings.ownerEmail, set });
};
