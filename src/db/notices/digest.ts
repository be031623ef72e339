/** The digest of a day: the one notice that tells an owner of the rest, when the day has had as many notices as it may. */
import { DAY_MS } from "../../contract/day.ts";
import type { NoticeKind } from "../../contract/notices/notice.ts";
import type { Db } from "../db.ts";
import { type DueNotice, IS_OFF, insertNotice, type NewNotice } from "./outbox.ts";

/**
 * Holds a notice for a digest, which is stored in the same transaction. If that digest has already been put together, the notice goes to
 * `next`; otherwise it would wait for ever.
 */
export const holdNotice = async (
  db: Db,
  id: string,
  digest: NewNotice,
  { nowMs, dueAtMs, next }: { readonly nowMs: number; readonly dueAtMs: number; readonly next: NewNotice },
): Promise<void> => {
  await db.$client.batch([
    db.$client.prepare("UPDATE notices SET state = 'held' WHERE id = ? AND state = 'waiting'").bind(id),
    insertNotice(db, digest, { nowMs, dueAtMs }),
    insertNotice(db, next, { nowMs, dueAtMs: dueAtMs + DAY_MS, after: digest.dedupKey }),
  ]);
};

/** The kinds of the notices that are held for an owner, without those of targets that are off. */
export const heldKinds = async ({ $client: d1 }: Db, owner: string): Promise<NoticeKind[]> => {
  const held = d1.prepare(
    `SELECT DISTINCT kind FROM notices WHERE owner_email = ? AND state = 'held' AND NOT ${IS_OFF}`,
  );
  return (await held.bind(owner).all<{ kind: NoticeKind }>()).results.map(({ kind }) => kind);
};

/**
 * Gathers what was held into a digest, whose kind becomes the first of `kinds`, and returns its title; a repeated call returns the same
 * one. Notices of other kinds, and of targets that are off, are never told. Notices that are held later are for the next digest.
 */
export const gatherDigest = async (
  { $client: d1 }: Db,
  { id, owner_email: owner }: DueNotice,
  kinds: readonly NoticeKind[],
): Promise<string> => {
  const [, , gathered] = await d1.batch<{ title: string }>([
    d1
      .prepare(
        `UPDATE notices SET title = (SELECT count(*) || CASE count(*) WHEN 1 THEN ' more notice' ELSE ' more notices' END
           FROM notices WHERE owner_email = ?2 AND state = 'held' AND kind IN (SELECT value FROM json_each(?3)) AND NOT ${IS_OFF}),
           kind = coalesce(?3->>0, kind)
         WHERE id = ?1 AND title = ''`,
      )
      .bind(id, owner, JSON.stringify(kinds)),
    // Only what has been counted just now.
    d1
      .prepare("UPDATE notices SET state = 'dropped' WHERE owner_email = ? AND state = 'held' AND changes() > 0")
      .bind(owner),
    d1.prepare("SELECT title FROM notices WHERE id = ?").bind(id),
  ]);
  return gathered?.results[0]?.title ?? "";
};
