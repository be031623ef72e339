/**
 * Whether the deletion of an account is still going on. Once it is over, its owner may have a new account under the same e-mail, and a
 * pass that is late must not touch that one. So whatever a pass deletes, it deletes only while its row is there.
 */
import type { OwnerEmail } from "../../contract/ids.ts";

/** An account being deleted. The time of the request distinguishes it from another deletion under the same e-mail. */
export type AccountDeletion = { readonly ownerEmail: OwnerEmail; readonly requestedAtMs: number };

/** Whether a deletion is still going on, as a condition in SQL of two parameters: for statements that delete. */
export const isOpenDeletion = (owner: string, requestedAtMs: string): string =>
  `EXISTS (SELECT 1 FROM account_deletions WHERE owner_email = ${owner} AND requested_at_ms = ${requestedAtMs})`;

const IS_OPEN = `SELECT ${isOpenDeletion("?1", "?2")} AS is_open`;

/** Asks D1 whether a deletion is still going on. */
export const isDeletionOpen = async (
  d1: D1Database,
  { ownerEmail, requestedAtMs }: AccountDeletion,
): Promise<boolean> => (await d1.prepare(IS_OPEN).bind(ownerEmail, requestedAtMs).first<number>("is_open")) === 1;
