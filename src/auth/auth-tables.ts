/**
 * Tables of sign-in. Those that `create-auth.ts` hands to better-auth have our names, and its fields as their properties. What it calls
 * a session is a log-in here.
 */
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** People who have signed in. Their e-mail never changes, because what they own is stored under it. */
export const users = sqliteTable("users", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  email: text("email").notNull().unique(),
  emailVerified: integer("email_verified", { mode: "boolean" }).notNull(),
  image: text("image"),
  createdAt: integer("created_at_ms", { mode: "timestamp_ms" }).notNull(),
  updatedAt: integer("updated_at_ms", { mode: "timestamp_ms" }).notNull(),
});

/** One row for each browser that is signed in. Without its row a log-in is over, whatever its cookie says. */
export const logins = sqliteTable(
  "logins",
  {
    id: text("id").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    token: text("token").notNull().unique(),
    expiresAt: integer("expires_at_ms", { mode: "timestamp_ms" }).notNull(),
    createdAt: integer("created_at_ms", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at_ms", { mode: "timestamp_ms" }).notNull(),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    activeOrganizationId: text("active_organization_id"),
  },
  (table) => [
    index("logins_user").on(table.userId),
    index("logins_expiry").on(table.expiresAt),
    index("logins_age").on(table.createdAt),
  ],
);

/** Log-ins that must enter a fresh code before their first command; `confirmedAtMs` is set once it was entered. */
export const loginConfirmations = sqliteTable("login_confirmations", {
  loginId: text("login_id")
    .primaryKey()
    .references(() => logins.id, { onDelete: "cascade" }),
  /** HMAC with the sign-in secret. */
  codeHash: text("code_hash").notNull(),
  tries: integer("tries").notNull(),
  sentAtMs: integer("sent_at_ms").notNull(),
  confirmedAtMs: integer("confirmed_at_ms"),
});

/** Codes that were sent and not yet used, as hashes, with the number of wrong tries. */
export const signInCodes = sqliteTable(
  "sign_in_codes",
  {
    id: text("id").primaryKey(),
    identifier: text("identifier").notNull(),
    value: text("value").notNull(),
    expiresAt: integer("expires_at_ms", { mode: "timestamp_ms" }).notNull(),
    createdAt: integer("created_at_ms", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at_ms", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [
    index("sign_in_codes_identifier").on(table.identifier, table.createdAt),
    index("sign_in_codes_expiry").on(table.expiresAt),
  ],
);

/** Organizations. They share no data: their id is recorded with what a person does while one is active. */
export const organizations = sqliteTable("organizations", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  slug: text("slug").notNull().unique(),
  logo: text("logo"),
  metadata: text("metadata"),
  createdAt: integer("created_at_ms", { mode: "timestamp_ms" }).notNull(),
});

/** Who belongs to which organization. */
export const members = sqliteTable(
  "members",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text("role").notNull(),
    createdAt: integer("created_at_ms", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [
    uniqueIndex("members_once").on(table.organizationId, table.userId),
    index("members_user").on(table.userId),
  ],
);

/** Invitations into organizations, by e-mail. */
export const invitations = sqliteTable(
  "invitations",
  {
    id: text("id").primaryKey(),
    organizationId: text("organization_id")
      .notNull()
      .references(() => organizations.id, { onDelete: "cascade" }),
    email: text("email").notNull(),
    role: text("role"),
    status: text("status").notNull(),
    expiresAt: integer("expires_at_ms", { mode: "timestamp_ms" }).notNull(),
    createdAt: integer("created_at_ms", { mode: "timestamp_ms" }).notNull(),
    inviterId: text("inviter_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
  },
  (table) => [
    index("invitations_organization").on(table.organizationId),
    index("invitations_email").on(table.email),
    index("invitations_inviter").on(table.inviterId),
    index("invitations_expiry").on(table.expiresAt),
  ],
);

/** Attempts in the window that ends at `windowEndMs`. Keys are hashes of e-mails and addresses. */
export const signInAttempts = sqliteTable(
  "sign_in_attempts",
  {
    key: text("key").primaryKey(),
    count: integer("count").notNull(),
    windowEndMs: integer("window_end_ms").notNull(),
  },
  (table) => [index("sign_in_attempts_end").on(table.windowEndMs)],
);

/** Accounts being deleted: the row survives a crash, and is kept until nothing is left to delete. */
export const accountDeletions = sqliteTable("account_deletions", {
  ownerEmail: text("owner_email").primaryKey(),
  requestedAtMs: integer("requested_at_ms").notNull(),
});
