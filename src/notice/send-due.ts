/**
 * Sends the notices that are due: from the cron, and at once after their cause. Several senders may work at the same time; claims keep
 * them apart. A push that may have been sent is repeated, a mail never is.
 */
import type { LimitFunction } from "p-limit";
import { isAllowedEmail } from "../auth/allowed-emails.ts";
import { DAY_MS, dayOf } from "../contract/day.ts";
import { OwnerEmail } from "../contract/ids.ts";
import { log } from "../contract/log.ts";
import { quietUntil } from "../contract/notices/quiet-until.ts";
import { type Db, openDb } from "../db/db.ts";
import { gatherDigest, heldKinds, holdNotice } from "../db/notices/digest.ts";
import { claimNotices, countNotice, type DueNotice, endNotice, putOff, reopenNotice } from "../db/notices/outbox.ts";
import { findRecipient, type Recipient } from "../db/notices/recipients.ts";
import type { Env } from "../env.ts";
import { parseSettings } from "../settings.ts";
import { countMail, mailNotice } from "./mail.ts";
import { channelOf, isMailedInstead, isUrgent, settingsOf, toldKinds } from "./notice-settings.ts";
import { limitPushes, sendPushes } from "./send-pushes.ts";
import { findVapidKeys } from "./vapid.ts";

/** How long a claim lasts, in ms: longer than it takes to send a notice to ten devices. */
const CLAIM_MS = 2 * 60_000;

/** Most claims in a row. What is due beyond them is sent a minute later. */
const MAX_CLAIMS = 6;

/**
 * How long notices are kept back at a time, in ms, if their owner is not on the list of people who may sign in. A mistyped list is soon put
 * right, and perhaps nothing else tells what these notices tell.
 */
const NOT_ALLOWED_MS = 3_600_000;

/** Steps of sending. A test makes the sending fail before one of them. */
type SendStep = "settle" | "mail" | "push" | "end";

type Options = { readonly owner?: OwnerEmail; readonly before?: (step: SendStep) => Promise<void> };

type World = {
  readonly env: Env;
  readonly db: Db;
  readonly nowMs: number;
  /** The current time, counted on from `nowMs`, in ms. */
  readonly clock: () => number;
  /** Shared by all whose notices are sent in this call. */
  readonly limited: LimitFunction;
  readonly before: (step: SendStep) => Promise<void>;
};

/** Sends what is due, for one owner or for all. A notice that cannot be sent now is kept. */
export const sendDueNotices = async (
  env: Env,
  nowMs: number,
  { owner, before = async () => {} }: Options = {},
): Promise<void> => {
  const settings = parseSettings(env);
  if (settings.NOTICES_PAUSED || settings.OFFLINE) return;
  const aheadMs = nowMs - Date.now();
  const clock = () => Date.now() + aheadMs;
  const world = { env, db: openDb(env.DB), nowMs, clock, limited: limitPushes(), before };
  for (let claim = 0; claim < MAX_CLAIMS; claim += 1) {
    const due = await claimNotices(world.db, { nowMs, untilMs: clock() + CLAIM_MS }, owner);
    if (due.length === 0) return;
    const byOwner = Map.groupBy(due, ({ owner_email: email }) => email);
    await Promise.all([...byOwner].map(([email, notices]) => sendAll(world, OwnerEmail.parse(email), notices)));
  }
};

/** Sends the notices of one owner, one after the other. After a failure the rest is claimed again later. */
const sendAll = async (world: World, owner: OwnerEmail, due: readonly DueNotice[]): Promise<void> => {
  try {
    const recipient = await findRecipient(world.db, owner, findVapidKeys(world.env)?.publicKey);
    for (const notice of due) await sendNotice(world, owner, recipient, notice);
  } catch (error) {
    log.warn("Notices were not sent.", { error });
  }
};

const sendNotice = async (world: World, owner: OwnerEmail, recipient: Recipient, notice: DueNotice): Promise<void> => {
  const { env, db, nowMs, before } = world;
  await before("settle");
  const settings = settingsOf(recipient);
  const kinds = toldKinds(isUngathered(notice) ? await heldKinds(db, owner) : [notice.kind], settings);
  const [kind] = kinds;
  const isAllowed = parseSettings(env).AUTH_DISABLED || isAllowedEmail(env, owner);
  const isPushed = notice.attempts > 0;
  if (kind === undefined || notice.is_off || notice.expires_at_ms <= nowMs) {
    // Dropped together with the notices that it would have told, so that no later digest tells them either.
    if (isDigest(notice)) await gatherDigest(db, notice, kinds);
    return void (await endNotice(db, notice.id, { state: "dropped", isPushed }));
  }
  if (!isAllowed) return await putOff(db, notice.id, { ...notice, dueAtMs: nowMs + NOT_ALLOWED_MS });
  if (!isUrgent(kind)) {
    const untilMs = settings.quietHours === null ? undefined : quietUntil(settings.quietHours, nowMs);
    if (untilMs !== undefined)
      return await putOff(db, notice.id, { dueAtMs: untilMs, attempts: 0, devices: notice.devices });
    if (!(await hasRoom(world, owner, notice))) return;
  }
  const told = isDigest(notice) ? { ...notice, kind, title: await gatherDigest(db, notice, kinds) } : notice;
  const channel = channelOf(kind, settings);
  const isInstead = channel === "push" && isMailedInstead(kind, recipient);
  if (channel === "push" && !isInstead) return await sendPushes(world, owner, recipient.devices, told);
  await before("mail");
  const counted = await countMail(env, db, owner, nowMs);
  if (typeof counted === "object") return await putOff(db, notice.id, { ...notice, dueAtMs: nowMs + counted.waitMs });
  // Marked as sent first: a crash after this loses the mail, but none is sent twice.
  if (!(await endNotice(db, notice.id, { state: "sent", isPushed }))) return;
  const waitMs = await mailNotice(env, { ...told, isInstead, isCounted: counted === "counted" });
  if (waitMs !== undefined) await reopenNotice(db, notice.id, nowMs + waitMs);
};

const isDigest = ({ dedup_key: key }: DueNotice): boolean => key.startsWith("digest:");

/** A digest has no title before it gathers what it tells. */
const isUngathered = (notice: DueNotice): boolean => isDigest(notice) && notice.title === "";

/** Whether the day has room for this notice. If not, it is held for the digest, which is due when the day is over. */
const hasRoom = async ({ db, nowMs }: World, owner: OwnerEmail, notice: DueNotice): Promise<boolean> => {
  const day = dayOf(nowMs);
  const dayStartMs = Date.parse(day);
  if (isDigest(notice) || (await countNotice(db, notice, { nowMs, dayStartMs }))) return true;
  const digestOf = (startMs: number) => ({
    ...{
      ownerEmail: owner,
      dedupKey: `digest:${dayOf(startMs)}`,
      kind: notice.kind,
      tag: "digest",
      title: "",
      url: "/",
    },
    expiresAtMs: startMs + 3 * DAY_MS,
  });
  const dueAtMs = dayStartMs + DAY_MS;
  await holdNotice(db, notice.id, digestOf(dayStartMs), { nowMs, dueAtMs, next: digestOf(dueAtMs) });
  return false;
};
