/** Tables of notices: the one outbox, the devices that get pushes, and how each person wants to be told. Times are in epoch ms. */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** One row for each thing that somebody is told, kept for a while so that it is told once. */
export const notices = sqliteTable(
  "notices",
  {
    id: text("id").primaryKey(),
    ownerEmail: text("owner_email").notNull(),
    /** Says what is told, unique for its owner, so that the same is told once. */
    dedupKey: text("dedup_key").notNull(),
    kind: text("kind").notNull(),
    tag: text("tag").notNull(),
    title: text("title").notNull(),
    url: text("url").notNull(),
    /** `waiting` to be sent, `held` for the day's digest, `sent`, or `dropped`. */
    state: text("state").notNull(),
    dueAtMs: integer("due_at_ms").notNull(),
    /** After that nobody needs it any more. */
    expiresAtMs: integer("expires_at_ms").notNull(),
    /** Until then nobody else tries to send it. A value above 0 also says that it may have been pushed. */
    claimedUntilMs: integer("claimed_until_ms").notNull(),
    attempts: integer("attempts").notNull(),
    /** Ids of devices that have it, as a JSON list. */
    devices: text("devices").notNull(),
    /** When it was counted as one of its day. */
    countedAtMs: integer("counted_at_ms"),
    createdAtMs: integer("created_at_ms").notNull(),
  },
  (table) => [
    uniqueIndex("notices_once").on(table.ownerEmail, table.dedupKey),
    index("notices_due").on(table.dueAtMs).where(sql`${table.state} = 'waiting'`),
    index("notices_counted").on(table.ownerEmail, table.countedAtMs),
    index("notices_age").on(table.createdAtMs),
  ],
);

/** A browser that gets pushes. Its endpoint belongs to whoever subscribed there last. */
export const pushDevices = sqliteTable(
  "push_devices",
  {
    id: text("id").primaryKey(),
    ownerEmail: text("owner_email").notNull(),
    endpoint: text("endpoint").notNull(),
    p256dh: text("p256dh").notNull(),
    auth: text("auth").notNull(),
    label: text("label").notNull(),
    createdAtMs: integer("created_at_ms").notNull(),
    /** Our VAPID key that it subscribed with: it takes nothing that is signed with another. Null where that is not known. */
    publicKey: text("public_key"),
    /** Since when its push service has refused everything; null when it took the last push, or there was none. */
    refusedSinceMs: integer("refused_since_ms"),
    /** The log-in that it was turned on in. Null where that is not known. */
    loginId: text("login_id"),
  },
  (table) => [
    uniqueIndex("push_devices_endpoint").on(table.endpoint),
    index("push_devices_owner").on(table.ownerEmail, table.id),
  ],
);

/** What a person has set, as JSON. What they have not set is left out. */
export const noticeSettings = sqliteTable("notice_settings", {
  ownerEmail: text("owner_email").primaryKey(),
  settings: text("settings").notNull(),
});
