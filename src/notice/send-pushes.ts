/** Pushes a notice to each device that does not have it. */
import * as z from "zod";
import type { OwnerEmail } from "../contract/ids.ts";
import { parseJson } from "../contract/parse-json.ts";
import type { Db } from "../db/db.ts";
import { type DueNotice, endNotice, putOff } from "../db/notices/outbox.ts";
import { type Device, removeDevice } from "../db/notices/recipients.ts";
import type { Env } from "../env.ts";
import { pushTo } from "./push.ts";
import { findVapidKeys } from "./vapid.ts";

/** First pause after a push that failed, in ms; it doubles each time. */
const FIRST_PAUSE_MS = 60_000;

/** Longest pause, in ms. */
const MAX_PAUSE_MS = 60 * 60_000;

type World = {
  readonly env: Env;
  readonly db: Db;
  readonly nowMs: number;
  readonly before: (step: "push" | "end") => Promise<void>;
};

const Ids = z.array(z.string());

/**
 * Pushes the notice, and ends it unless a device has to be tried again. A device whose subscription is over is removed; if that was the
 * last one and nobody has the notice, it is due again, for somebody without a device.
 */
export const sendPushes = async (
  { env, db, nowMs, before }: World,
  owner: OwnerEmail,
  devices: readonly Device[],
  notice: DueNotice,
): Promise<void> => {
  const keys = findVapidKeys(env);
  if (keys === undefined) return void (await endNotice(db, notice.id, "dropped"));
  const { id, kind, tag, title, url, expires_at_ms: expiresAtMs, attempts } = notice;
  const reached = new Set(Ids.parse(parseJson(notice.devices)));
  const missing = devices.filter((device) => !reached.has(device.id));
  await before("push");
  const results = await Promise.all(
    missing.map(async (device) => {
      const result = await pushTo(env, keys, device, { kind, tag, title, url }, { nowMs, expiresAtMs });
      if (result === "gone") await removeDevice(db, owner, device.id);
      if (result !== "later") reached.add(device.id);
      return result;
    }),
  );
  await before("end");
  const isNowhere =
    reached.size === results.length && results.length > 0 && results.every((result) => result === "gone");
  if (isNowhere) return await putOff(db, id, { dueAtMs: nowMs, attempts: 0, devices: "[]" });
  if (!results.includes("later")) return void (await endNotice(db, id, "sent"));
  const dueAtMs = nowMs + Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempts);
  await putOff(db, id, { dueAtMs, attempts: attempts + 1, devices: JSON.stringify([...reached]) });
};
