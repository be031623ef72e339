/** Notices that a person is told of at a time. */
import { env } from "cloudflare:test";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { insertNotice } from "../../../src/db/notices/outbox.ts";
import type { Env } from "../../../src/env.ts";
import { sendDueNotices } from "../../../src/notice/send-due.ts";
import { type TargetHit, targetNotice } from "../../../src/notice/tell.ts";
import type { Somebody } from "./somebody.ts";

/** How long each is worth telling, in ms. */
const LIFE_MS = 48 * 3_600_000;

/** Notices that are due at a time, as if it had been then that they were made. */
export const dueAt = async (person: Pick<Somebody, "email">, nowMs: number, count: number, lifeMs = LIFE_MS) => {
  const news = (nth: number) => ({
    ...({
      ownerEmail: OwnerEmail.parse(person.email),
      dedupKey: `n${nowMs}:${nth}`,
      kind: "target",
      tag: `t${nth}`,
    } as const),
    ...{ title: `S${nth} is at or below its buy target`, url: "/stocks", expiresAtMs: nowMs + lifeMs },
  });
  const statements = Array.from({ length: count }, (_, nth) => insertNotice(openDb(env.DB), news(nth), { nowMs }));
  await env.DB.batch(statements);
};

/** Tells a hit of a target, as the cron does. */
export const tellTargetHit = async (world: Env, hit: TargetHit) => {
  const nowMs = Date.now();
  await insertNotice(openDb(world.DB), targetNotice(hit, nowMs), { nowMs }).run();
  await sendDueNotices(world, nowMs, { owner: hit.ownerEmail });
};
