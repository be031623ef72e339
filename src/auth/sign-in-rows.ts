/**
 * What becomes of the rows of sign-in, apart from signing in: they are deleted with their account, whose deletion has a row that survives a
 * crash; they are exported; and they expire.
 */

import { DAY_MS } from "../contract/day.ts";
import { OwnerEmail } from "../contract/ids.ts";
import type { Db } from "../db/db.ts";
import { deleteLogins, insertDeletion } from "../db/deletion/deletion-request.ts";
import { type AccountDeletion, isOpenDeletion } from "../db/deletion/open-deletion.ts";
import { MAX_LOGIN_MS } from "./auth-constants.ts";

type DeletionRow = { readonly owner_email: string; readonly requested_at_ms: number };

/** Stores the request and ends every log-in of the person, in one transaction. When repeated, the time of the first request is kept. */
export const requestDeletion = async ({ $client: d1 }: Db, owner: OwnerEmail, nowMs: number): Promise<void> => {
  await d1.batch([d1.prepare(insertDeletion("?1", "?2")).bind(owner, nowMs), d1.prepare(DELETE_LOGINS).bind(owner)]);
};

/** Forgets the newest code made for an e-mail at `untilMs` or before, since nobody got it. The one mailed before it counts again. */
export const forgetCode = async ({ $client: d1 }: Db, email: string, untilMs: number): Promise<void> => {
  const codes = "FROM sign_in_codes WHERE identifier = ?1 AND created_at_ms <= ?2";
  await d1
    .prepare(`DELETE FROM sign_in_codes WHERE id = (SELECT id ${codes} ORDER BY created_at_ms DESC LIMIT 1)`)
    .bind(`sign-in-otp-${email}`, untilMs)
    .run();
};

/** Ids of a person's log-ins. */
export const listLogins = async ({ $client: d1 }: Db, owner: OwnerEmail): Promise<string[]> => {
  const { results } = await d1
    .prepare("SELECT id FROM logins WHERE user_id IN (SELECT id FROM users WHERE email = ?1)")
    .bind(owner)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
};

/** Ends every log-in of a person. */
export const removeLogins = async ({ $client: d1 }: Db, owner: OwnerEmail): Promise<void> => {
  await d1.prepare(DELETE_LOGINS).bind(owner).run();
};

/** Ends every other log-in of the same person. A log-in that is over ends none: it may still be in a browser's signed cookie. */
export const removeOtherLogins = async ({ $client: d1 }: Db, loginId: string, nowMs: number): Promise<void> => {
  await d1
    .prepare(
      `DELETE FROM logins WHERE user_id = (SELECT user_id FROM logins WHERE id = ?1 AND expires_at_ms > ?2) AND id <> ?1`,
    )
    .bind(loginId, nowMs)
    .run();
};

const DELETE_LOGINS = deleteLogins("?1");

/** The deletion of a person's account, if it is not over. */
export const findDeletion = async ({ $client: d1 }: Db, owner: OwnerEmail): Promise<AccountDeletion | undefined> => {
  const row = await d1
    .prepare("SELECT * FROM account_deletions WHERE owner_email = ?")
    .bind(owner)
    .first<DeletionRow>();
  return row === null ? undefined : deletionOf(row);
};

/** All deletions that are not over, oldest first. */
export const listDeletions = async ({ $client: d1 }: Db): Promise<AccountDeletion[]> => {
  const { results } = await d1.prepare("SELECT * FROM account_deletions ORDER BY requested_at_ms").all<DeletionRow>();
  return results.map(deletionOf);
};

/**
 * Removes the person, their memberships, and organizations that are left without members, in one transaction. A sign-in code is
 * kept for its five minutes: it may be the first one of their next account. Removes nothing once the deletion is over.
 */
export const removeUser = async (
  { $client: d1 }: Db,
  { ownerEmail, requestedAtMs }: AccountDeletion,
): Promise<void> => {
  const user = "(SELECT id FROM users WHERE email = ?1)";
  const statements = [
    `DELETE FROM organizations WHERE id IN (SELECT organization_id FROM members WHERE user_id = ${user})
       AND NOT EXISTS (SELECT 1 FROM members WHERE organization_id = organizations.id AND user_id <> ${user})`,
    `DELETE FROM members WHERE user_id = ${user}`,
    // An invitation that was sent since the request is for the person's next account.
    `DELETE FROM invitations WHERE (inviter_id = ${user} OR email = ?1 AND created_at_ms <= ?2)`,
    DELETE_LOGINS,
    "DELETE FROM users WHERE email = ?1",
  ];
  await d1.batch(
    statements.map((sql) =>
      d1.prepare(`${sql} AND ${isOpenDeletion("?1", "?2")}`).bind(...[ownerEmail, requestedAtMs]),
    ),
  );
};

/** Removes the row of a deletion: nothing is left to delete. The row of a later deletion under the same e-mail stays. */
export const endDeletion = async (
  { $client: d1 }: Db,
  { ownerEmail, requestedAtMs }: AccountDeletion,
): Promise<void> => {
  await d1
    .prepare("DELETE FROM account_deletions WHERE owner_email = ? AND requested_at_ms = ?")
    .bind(ownerEmail, requestedAtMs)
    .run();
};

const deletionOf = (row: DeletionRow): AccountDeletion => ({
  ownerEmail: OwnerEmail.parse(row.owner_email),
  requestedAtMs: row.requested_at_ms,
});

type ExportedRow = Readonly<Record<string, string | number | null>>;

/**
 * What is stored about a person, for an export: nothing with which one could sign in. The person, null when sign-in is off; their log-ins,
 * organizations and invitations.
 */
export const exportIdentity = async ({ $client: d1 }: Db, owner: OwnerEmail) => {
  const user = "(SELECT id FROM users WHERE email = ?1)";
  const [users, logins, organizations, invitations] = await d1.batch<ExportedRow>(
    [
      "SELECT id, name, email, created_at_ms FROM users WHERE email = ?1",
      `SELECT id, created_at_ms, updated_at_ms, expires_at_ms, ip_address, user_agent FROM logins WHERE user_id = ${user}`,
      `SELECT organizations.id, name, slug, role, members.created_at_ms FROM members
         JOIN organizations ON organizations.id = organization_id WHERE user_id = ${user}`,
      `SELECT id, organization_id, email, role, status, created_at_ms FROM invitations
         WHERE email = ?1 OR inviter_id = ${user}`,
    ].map((sql) => d1.prepare(sql).bind(owner)),
  );
  return {
    account: users?.results[0] ?? null,
    logins: logins?.results ?? [],
    organizations: organizations?.results ?? [],
    invitations: invitations?.results ?? [],
  };
};

/**
 * Whether an export may go on: the account is not being deleted, and has not been, so its user is still this one; and the log-in is
 * neither revoked nor expired. With sign-in off there is no user and no log-in: null.
 */
export const mayGoOn = async (
  { $client: d1 }: Db,
  owner: OwnerEmail,
  { userId, loginId }: { readonly userId: ExportedRow[string]; readonly loginId: string | null },
  nowMs: number,
): Promise<boolean> => {
  const sql = `SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM account_deletions WHERE owner_email = ?1)
    AND (?2 IS NULL OR EXISTS (SELECT 1 FROM users WHERE id = ?2))
    AND (?3 IS NULL OR EXISTS (SELECT 1 FROM logins WHERE id = ?3 AND expires_at_ms > ?4))`;
  return (await d1.prepare(sql).bind(owner, userId, loginId, nowMs).first()) !== null;
};

/** Rows that expire at a stored time. Log-ins also expire by age. */
const OVER = [
  "logins WHERE expires_at_ms",
  "sign_in_codes WHERE expires_at_ms",
  "sign_in_attempts WHERE window_end_ms",
];

/** How long an invitation is kept once it has expired, in ms, even if it was answered before: the time of the answer is not stored. */
const INVITATION_KEPT_MS = DAY_MS;

/** Deletes expired log-ins, codes, counters and invitations. One transaction, by indexes: it reads no row that it keeps. */
export const dropOld = async ({ $client: d1 }: Db, nowMs: number): Promise<void> => {
  await d1.batch([
    ...OVER.map((rows) => d1.prepare(`DELETE FROM ${rows} <= ?`).bind(nowMs)),
    d1.prepare("DELETE FROM logins WHERE created_at_ms <= ?").bind(nowMs - MAX_LOGIN_MS),
    d1.prepare("DELETE FROM invitations WHERE expires_at_ms <= ?").bind(nowMs - INVITATION_KEPT_MS),
  ]);
};
