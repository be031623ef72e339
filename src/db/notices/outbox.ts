/** The one outbox of notices. A notice is stored once under its key, claimed by whoever sends it, and ends `sent` or `dropped`. */
import type { OwnerEmail } from "../../contract/ids.ts";
import type { NoticeKind } from "../../contract/notices/notice.ts";
import type { Db } from "../db.ts";

/** Notices claimed at once. */
const MAX_CLAIMED = 50;

/** Most notices of an owner in a day, not counting permission requests, questions and the digest of the rest. */
const MAX_A_DAY = 10;

/** How long a notice is kept after it was made, so that its key stays taken, in ms: 30 days, as long as a run's log. */
const KEPT_MS = 30 * 24 * 3_600_000;

/** Most old notices deleted at once. The rest follows a minute later. */
const MAX_DELETED = 5_000;

/** Something to be told. `dedupKey` is unique for its owner. */
export type NewNotice = {
  readonly ownerEmail: OwnerEmail;
  readonly dedupKey: string;
  readonly kind: NoticeKind;
  readonly tag: string;
  readonly title: string;
  readonly url: string;
  readonly expiresAtMs: number;
};

/** A notice that is about to be sent. */
export type DueNotice = {
  readonly id: string;
  readonly owner_email: string;
  readonly dedup_key: string;
  readonly kind: NoticeKind;
  readonly tag: string;
  readonly title: string;
  readonly url: string;
  readonly expires_at_ms: number;
  readonly attempts: number;
  /** Ids of the devices that have it, as a JSON list. */
  readonly devices: string;
  readonly counted_at_ms: number | null;
  readonly claimed_until_ms: number;
  /** As `IS_OFF` says. */
  readonly is_off: 0 | 1;
};

/**
 * Whether a notice is of a target that is not to be told any more: its stock is in the trash or does not notify, or the target is another
 * one by now, or was hit again. As SQL, by what `targetNotice` puts into key and tag.
 */
export const IS_OFF = `EXISTS (SELECT 1 FROM stocks WHERE id = substr(dedup_key, 8, 36) AND (NOT notify OR deleted_at IS NOT NULL
  OR alert_marks -> substr(tag, 45) ->> 'target' IS NOT iif(substr(tag, 45) = 'low', target_low, target_high)
  OR dedup_key NOT GLOB '*:' || (alert_marks -> substr(tag, 45) ->> 'nth')))`;

/** The key of the notice that a run has ended. */
export const runEndKey = (runId: string): string => `run:${runId}`;

/** The beginning of a statement that stores a notice; its values follow. */
export const INSERT_NOTICE = `
  INSERT INTO notices (id, owner_email, dedup_key, kind, tag, title, url, state, due_at_ms, expires_at_ms, claimed_until_ms, attempts,
    devices, created_at_ms)`;

/** When a notice is due: at once if left out. `after`: it is stored only if the notice with this key has a title. */
type Due = { readonly nowMs: number; readonly dueAtMs?: number; readonly after?: string | null };

/** The statement, for a batch, that stores a notice. It does nothing if the owner has one under this key. */
export const insertNotice = (
  { $client: d1 }: Db,
  { ownerEmail, dedupKey, kind, tag, title, url, expiresAtMs }: NewNotice,
  { nowMs, dueAtMs = nowMs, after = null }: Due,
): D1PreparedStatement =>
  d1
    .prepare(
      `${INSERT_NOTICE} SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, 'waiting', ?8, ?9, 0, 0, '[]', ?10
       WHERE ?11 IS NULL OR EXISTS (SELECT 1 FROM notices WHERE owner_email = ?2 AND dedup_key = ?11 AND title <> '')
       ON CONFLICT (owner_email, dedup_key) DO NOTHING`,
    )
    .bind(crypto.randomUUID(), ownerEmail, dedupKey, kind, tag, title, url, dueAtMs, expiresAtMs, nowMs, after);

/** The statement by which a notice is not sent if it waits or is held, nor if it waits again after a mail that was refused. */
export const dropNotice = (db: Db, owner: OwnerEmail, dedupKey: string, nowMs: number): D1PreparedStatement => {
  const drop = "UPDATE notices SET state = iif(state = 'sent', state, 'dropped'), expires_at_ms = ?";
  return db.$client.prepare(`${drop} WHERE owner_email = ? AND dedup_key = ?`).bind(nowMs, owner, dedupKey);
};

/** Takes a notice back as `dropNotice` does; if it was or may have been pushed, `closing` is pushed after it. */
export const closeNotice = async (db: Db, dedupKey: string, closing: NewNotice, nowMs: number): Promise<void> => {
  const { ownerEmail, kind, tag, title, url, expiresAtMs } = closing;
  await db.$client.batch([
    db.$client
      .prepare(
        `${INSERT_NOTICE} SELECT ?1, owner_email, ?3, ?4, ?5, ?6, ?7, 'waiting',
           CASE WHEN state = 'waiting' THEN max(?9, claimed_until_ms) ELSE ?9 END, ?8, 0, 0, '[]', ?9
         FROM notices WHERE owner_email = ?2 AND dedup_key = ?10 AND claimed_until_ms > 0
         ON CONFLICT (owner_email, dedup_key) DO NOTHING`,
      )
      .bind(crypto.randomUUID(), ownerEmail, closing.dedupKey, kind, tag, title, url, expiresAtMs, nowMs, dedupKey),
    dropNotice(db, ownerEmail, dedupKey, nowMs),
  ]);
};

/**
 * Claims, until `untilMs`, the notices that have been due longest, and returns them in no particular order: of one owner or of all, but
 * only `close` notices of accounts being deleted.
 */
export const claimNotices = async (
  { $client: d1 }: Db,
  { nowMs, untilMs }: { readonly nowMs: number; readonly untilMs: number },
  owner: OwnerEmail | undefined,
): Promise<DueNotice[]> => {
  const { results } = await d1
    .prepare(
      `UPDATE notices SET claimed_until_ms = ?2
       WHERE id IN (
         SELECT id FROM notices AS due WHERE state = 'waiting' AND due_at_ms <= ?1 AND claimed_until_ms <= ?1
           ${owner === undefined ? "" : "AND owner_email = ?3"}
           AND (kind = 'close' OR NOT EXISTS (SELECT 1 FROM account_deletions WHERE owner_email = due.owner_email))
         ORDER BY due_at_ms LIMIT ${MAX_CLAIMED})
       RETURNING *, ${IS_OFF} AS is_off`,
    )
    .bind(nowMs, untilMs, ...(owner === undefined ? [] : [owner]))
    .all<DueNotice>();
  return results;
};

/** Whether a notice still waits under the claim that it was read with. */
export const isClaimed = async (
  { $client: d1 }: Db,
  { id, claimed_until_ms: untilMs }: DueNotice,
): Promise<boolean> => {
  const look = d1.prepare("SELECT 1 FROM notices WHERE id = ? AND state = 'waiting' AND claimed_until_ms = ?");
  return (await look.bind(id, untilMs).first()) !== null;
};

/** Counts a notice as one of its day (UTC). False when the day has as many as it may; true when another sender has counted it since. */
export const countNotice = async (
  { $client: d1 }: Db,
  { id, owner_email: owner, counted_at_ms: countedAtMs }: DueNotice,
  { nowMs, dayStartMs }: { readonly nowMs: number; readonly dayStartMs: number },
): Promise<boolean> => {
  if (countedAtMs !== null) return true;
  const { meta } = await d1
    .prepare(
      `UPDATE notices SET counted_at_ms = coalesce(counted_at_ms, ?3) WHERE id = ?1 AND (counted_at_ms IS NOT NULL
         OR (SELECT count(*) FROM notices WHERE owner_email = ?2 AND counted_at_ms >= ?4) < ${MAX_A_DAY})`,
    )
    .bind(id, owner, nowMs, dayStartMs)
    .run();
  return meta.changes > 0;
};

/**
 * Ends a notice that waits; false when it no longer did. `isPushed`: whether a device has it or may have it, which whoever takes the
 * notice back has to know.
 */
export const endNotice = async (
  { $client: d1 }: Db,
  id: string,
  { state, isPushed }: { readonly state: "sent" | "dropped"; readonly isPushed: boolean },
): Promise<boolean> => {
  const end = d1.prepare("UPDATE notices SET state = ?2, claimed_until_ms = ?3 WHERE id = ?1 AND state = 'waiting'");
  return (await end.bind(id, state, isPushed ? 1 : 0).run()).meta.changes > 0;
};

/** Lets a notice that was marked as sent, and was not, wait until `dueAtMs`. */
export const reopenNotice = async ({ $client: d1 }: Db, id: string, dueAtMs: number): Promise<void> => {
  await d1.prepare("UPDATE notices SET state = 'waiting', due_at_ms = ? WHERE id = ?").bind(dueAtMs, id).run();
};

/**
 * Puts a notice off, and stores which devices have it. This ends its claim, but once there was an attempt, the notice still counts as
 * one that may have been pushed.
 */
export const putOff = async (
  { $client: d1 }: Db,
  id: string,
  { dueAtMs, attempts, devices }: { readonly dueAtMs: number; readonly attempts: number; readonly devices: string },
): Promise<void> => {
  await d1
    .prepare(
      `UPDATE notices SET due_at_ms = ?2, attempts = ?3, devices = ?4,
         claimed_until_ms = CASE WHEN ?3 = 0 THEN 0 ELSE 1 END WHERE id = ?1`,
    )
    .bind(id, dueAtMs, attempts, devices)
    .run();
};

/** Deletes old notices. */
export const deleteOldNotices = async ({ $client: d1 }: Db, nowMs: number): Promise<void> => {
  await d1
    .prepare(
      `DELETE FROM notices WHERE id IN
         (SELECT id FROM notices WHERE created_at_ms <= ? ORDER BY created_at_ms LIMIT ${MAX_DELETED})`,
    )
    .bind(nowMs - KEPT_MS)
    .run();
};
