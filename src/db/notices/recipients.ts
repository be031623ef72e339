/** Whom notices go to: a person's devices and what they have set. */
import type { OwnerEmail } from "../../contract/ids.ts";
import type { NewDevice } from "../../contract/notices/notice.ts";
import type { Db } from "../db.ts";

/** Most devices of an owner. A further one takes the place of the oldest. */
const MAX_DEVICES = 10;

/** A browser that gets pushes. */
export type Device = {
  readonly id: string;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly label: string;
  readonly created_at_ms: number;
  /** Since when its push service has refused everything, null when it does not. */
  readonly refused_since_ms: number | null;
};

/** A person's devices, oldest first, and their settings as JSON, null when they have set nothing. */
export type Recipient = {
  /** Those that can be pushed to. */
  readonly devices: readonly Device[];
  /** Those that subscribed with another key than today's: nothing can be pushed to them until they subscribe again, or that key is back. */
  readonly lapsed: readonly Device[];
  readonly settings: string | null;
};

/** `publicKey` is our VAPID key of today, undefined where push is not set up. */
export const findRecipient = async (
  { $client: d1 }: Db,
  owner: OwnerEmail,
  publicKey: string | undefined,
): Promise<Recipient> => {
  const [devices, settings] = await d1.batch<Device & { is_lapsed: 0 | 1; settings: string }>([
    d1
      .prepare(
        `SELECT id, endpoint, p256dh, auth, label, created_at_ms, refused_since_ms,
           ?2 IS NULL OR coalesce(public_key, ?2) <> ?2 AS is_lapsed
         FROM push_devices WHERE owner_email = ?1 ORDER BY created_at_ms, id`,
      )
      .bind(owner, publicKey ?? null),
    d1.prepare("SELECT settings FROM notice_settings WHERE owner_email = ?").bind(owner),
  ]);
  const [fitting, lapsed] = [0, 1].map((lapse) => devices?.results.filter((one) => one.is_lapsed === lapse) ?? []);
  return { devices: fitting ?? [], lapsed: lapsed ?? [], settings: settings?.results[0]?.settings ?? null };
};

/** What is stored of a device beside what its browser says. `loginId` is undefined where nobody signs in. */
type DeviceFacts = {
  readonly deviceId: string;
  readonly publicKey: string;
  readonly loginId: string | undefined;
  readonly nowMs: number;
};

/** Whether the same subscription comes once more, from a later page or log-in: then the time when it was turned on is kept. */
const IS_RENEWED = "owner_email = ?2 AND p256dh = ?4 AND auth = ?5 AND public_key IS ?8";

/**
 * Stores a device and returns its id: the same one when that browser subscribes again. Undefined, with nothing stored, when the log-in has
 * ended meanwhile, because nothing would remove the device any more.
 */
export const saveDevice = async (
  { $client: d1 }: Db,
  owner: OwnerEmail,
  { endpoint, keys, label }: NewDevice,
  { deviceId, publicKey, loginId, nowMs }: DeviceFacts,
): Promise<string | undefined> => {
  const [stored] = await d1.batch<{ id: string }>([
    d1
      .prepare(
        // A device that was another person's gets a new id, because that person knows the old one.
        `INSERT INTO push_devices (id, owner_email, endpoint, p256dh, auth, label, created_at_ms, public_key, login_id)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE ?9 IS NULL OR EXISTS (SELECT 1 FROM logins WHERE id = ?9)
         ON CONFLICT (endpoint) DO UPDATE SET id = CASE WHEN owner_email = ?2 THEN id ELSE ?1 END,
           owner_email = ?2, p256dh = ?4, auth = ?5, label = ?6, public_key = ?8, login_id = ?9,
           created_at_ms = CASE WHEN ${IS_RENEWED} THEN created_at_ms ELSE ?7 END, refused_since_ms = NULL
         RETURNING id`,
      )
      .bind(deviceId, owner, endpoint, keys.p256dh, keys.auth, label, nowMs, publicKey, loginId ?? null),
    d1
      .prepare(
        `DELETE FROM push_devices WHERE owner_email = ?1 AND id NOT IN
           (SELECT id FROM push_devices WHERE owner_email = ?1 ORDER BY created_at_ms DESC, id DESC LIMIT ${MAX_DEVICES})`,
      )
      .bind(owner),
  ]);
  return stored?.results[0]?.id;
};

/** Removes one of the owner's devices. False if there was no such device. */
export const removeDevice = async ({ $client: d1 }: Db, owner: OwnerEmail, deviceId: string): Promise<boolean> => {
  const remove = d1.prepare("DELETE FROM push_devices WHERE owner_email = ? AND id = ?").bind(owner, deviceId);
  return (await remove.run()).meta.changes > 0;
};

/**
 * Removes an owner's devices whose log-in was one of `before` and has ended, because what is signed out gets no notices.
 * `areUnknownRemoved`: removes those whose log-in is unknown or had run out as well, even if somebody has signed in there since.
 */
export const removeSignedOut = async (
  { $client: d1 }: Db,
  owner: OwnerEmail,
  { before, areUnknownRemoved }: { readonly before: readonly string[]; readonly areUnknownRemoved: boolean },
): Promise<void> => {
  await d1
    .prepare(
      `DELETE FROM push_devices WHERE owner_email = ?1 AND (?2 OR login_id IN (SELECT value FROM json_each(?3)))
         AND NOT EXISTS (SELECT 1 FROM logins WHERE logins.id = login_id)`,
    )
    .bind(owner, areUnknownRemoved ? 1 : 0, JSON.stringify(before))
    .run();
};

/** Removes a device that has been refused since then, unless it was turned on again meanwhile. */
export const removeRefused = async ({ $client: d1 }: Db, deviceId: string, sinceMs: number | null): Promise<void> => {
  await d1.prepare("DELETE FROM push_devices WHERE id = ? AND refused_since_ms IS ?").bind(deviceId, sinceMs).run();
};

/** Stores since when a device's push service refuses everything; null when it has taken a push. */
export const markRefused = async ({ $client: d1 }: Db, deviceId: string, sinceMs: number | null): Promise<void> => {
  await d1.prepare("UPDATE push_devices SET refused_since_ms = ? WHERE id = ?").bind(sinceMs, deviceId).run();
};

/** Changes the settings named in `patch`, a JSON object. Each value is replaced as a whole; null clears it. */
export const saveNoticeSettings = async (db: Db, owner: OwnerEmail, patch: object): Promise<void> => {
  await change(db, owner, patch, "true").run();
};

/** The same for somebody who did not sign in; these devices go with it. A deleted account gets no row again. */
export const stopMails = async (
  db: Db,
  owner: OwnerEmail,
  patch: object,
  deviceIds: readonly string[],
): Promise<void> => {
  const remove = "DELETE FROM push_devices WHERE id IN (SELECT value FROM json_each(?))";
  await db.$client.batch([
    change(db, owner, patch, "EXISTS (SELECT 1 FROM users WHERE email = ?1)"),
    db.$client.prepare(remove).bind(JSON.stringify(deviceIds)),
  ]);
};

/** `json_patch` (RFC 7396) also merges inside quiet hours, but these are always given whole. */
const change = ({ $client: d1 }: Db, owner: OwnerEmail, patch: object, condition: string): D1PreparedStatement =>
  d1
    .prepare(
      `INSERT INTO notice_settings (owner_email, settings) SELECT ?1, json_patch('{}', ?2) WHERE ${condition}
       ON CONFLICT (owner_email) DO UPDATE SET settings = json_patch(settings, ?2)`,
    )
    .bind(owner, JSON.stringify(patch));
