/** Pushes a notice to each device that does not have it. */
import pLimit, { type LimitFunction } from "p-limit";
import * as z from "zod";
import { DAY_MS } from "../contract/day.ts";
import type { OwnerEmail } from "../contract/ids.ts";
import { parseJson } from "../contract/parse-json.ts";
import type { Db } from "../db/db.ts";
import { type DueNotice, endNotice, isClaimed, putOff } from "../db/notices/outbox.ts";
import { type Device, markRefused, removeDevice, removeRefused } from "../db/notices/recipients.ts";
import type { Env } from "../env.ts";
import { ANSWER_LIMIT_MS, type PushAnswer, pushTo } from "./push.ts";
import { findVapidKeys } from "./vapid.ts";

/** First pause after a push that failed, in ms; it doubles each time. */
const FIRST_PAUSE_MS = 60_000;

/** Longest pause, in ms, even if a push service asks for a longer one: a notice is of no use the next day. */
const MAX_PAUSE_MS = 60 * 60_000;

/**
 * How long a device is kept, in ms, while its push service refuses everything. The fault may be the device's, or one of ours such as a
 * wrong variable, which can be set right within a day.
 */
const REFUSED_LIMIT_MS = DAY_MS;

/**
 * Pushes under way at the same time, in one call of the Worker. It has six connections that wait for an answer, and a seventh request
 * waits for one of them (https://developers.cloudflare.com/workers/platform/limits/#simultaneous-open-connections); one is left to D1.
 */
export const PUSHES_AT_ONCE = 5;

/** Lets `PUSHES_AT_ONCE` pushes run at once; the others wait, in the order in which they were asked for. */
export const limitPushes = (): LimitFunction => pLimit(PUSHES_AT_ONCE);

type World = {
  readonly env: Env;
  readonly db: Db;
  readonly nowMs: number;
  readonly clock: () => number;
  readonly limited: LimitFunction;
  readonly before: (step: "push" | "end") => Promise<void>;
};

const Ids = z.array(z.string());

/**
 * Pushes the notice, and ends it unless a device has to be tried again. A device whose subscription is over is removed. If no device
 * is left and none has got the notice, it is due again, as for somebody without a device. A push that waits for its turn until the claim is
 * over is not sent, and nothing is stored: by then the notice may have been taken back, or another sender may have it.
 */
export const sendPushes = async (
  world: World,
  owner: OwnerEmail,
  devices: readonly Device[],
  notice: DueNotice,
): Promise<void> => {
  const { env, db, nowMs, clock, limited, before } = world;
  const keys = findVapidKeys(env);
  const dropped = { state: "dropped", isPushed: notice.attempts > 0 } as const;
  if (keys === undefined) return void (await endNotice(db, notice.id, dropped));
  const { id, kind, tag, title, url, expires_at_ms: expiresAtMs, attempts } = notice;
  const reached = new Set(Ids.parse(parseJson(notice.devices)));
  const missing = devices.filter((device) => !reached.has(device.id));
  await before("push");
  const answers = await Promise.all(
    missing.map(async (device) => {
      // The time limit starts when the push does: otherwise services that hang would use up the time of those that answer.
      const pushed = { kind, tag, title, url };
      const answer = await limited(async () =>
        (await isClaimed(db, notice)) && clock() + ANSWER_LIMIT_MS < notice.claimed_until_ms
          ? await pushTo(env, keys, device, pushed, { nowMs, expiresAtMs })
          : undefined,
      );
      if (answer === undefined) return undefined;
      const result = await keepDevice(world, owner, device, answer);
      if (result === "sent") reached.add(device.id);
      return { result, pauseMs: answer.pauseMs };
    }),
  );
  await before("end");
  const results = answers.filter((answer) => answer !== undefined);
  if (results.length < answers.length) return;
  const late = results.filter(({ result }) => result === "later");
  if (late.length > 0) {
    const pauseMs = Math.max(FIRST_PAUSE_MS * 2 ** attempts, ...late.map((answer) => answer.pauseMs));
    const dueAtMs = nowMs + Math.min(MAX_PAUSE_MS, pauseMs);
    return await putOff(db, id, { dueAtMs, attempts: attempts + 1, devices: JSON.stringify([...reached]) });
  }
  if (reached.size > 0) return void (await endNotice(db, id, { state: "sent", isPushed: true }));
  if (results.length === 0) return void (await endNotice(db, id, dropped));
  await putOff(db, id, { dueAtMs: nowMs, attempts: 0, devices: "[]" });
};

/** Stores what a push has shown about its device, and removes a device that gets no pushes any more. */
const keepDevice = async (
  { db, nowMs }: World,
  owner: OwnerEmail,
  { id, refused_since_ms: refusedSinceMs }: Device,
  { result: answer }: PushAnswer,
): Promise<"sent" | "gone" | "later"> => {
  if (answer === "gone") {
    await removeDevice(db, owner, id);
    return "gone";
  }
  if (answer === "refused" && refusedSinceMs !== null && nowMs - refusedSinceMs >= REFUSED_LIMIT_MS) {
    await removeRefused(db, id, refusedSinceMs);
    return "gone";
  }
  if (answer === "sent" && refusedSinceMs !== null) await markRefused(db, id, null);
  if (answer === "refused" && refusedSinceMs === null) await markRefused(db, id, nowMs);
  return answer === "sent" ? "sent" : "later";
};
