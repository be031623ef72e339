/** What a person's screen shows, as it last reported. */
import { eq } from "drizzle-orm";
import type { OwnerEmail } from "../contract/ids.ts";
import type { Db } from "./db.ts";
import { navigation } from "./stock-tables.ts";

/** Stores the state in place of the previous one. */
export const saveNavigation = async (db: Db, owner: OwnerEmail, state: string, at: string): Promise<void> => {
  await db
    .insert(navigation)
    .values({ ownerEmail: owner, state, updatedAt: at })
    .onConflictDoUpdate({ target: navigation.ownerEmail, set: { state, updatedAt: at } });
};

/** The state as JSON, or undefined when no screen has reported one. */
export const findNavigation = async (db: Db, owner: OwnerEmail): Promise<string | undefined> =>
  (await db.select().from(navigation).where(eq(navigation.ownerEmail, owner)).get())?.state;
