/** What a person's changes of stocks have stored today, as the database counts it. */
import { env } from "cloudflare:test";
import { z } from "zod";
import { dayOf } from "../../../src/contract/day.ts";

/** What may be stored in a day, in bytes. */
export const DAY_LIMIT = 100_000_000;

const Counted = z.object({ day: z.string(), bytes: z.int() });

/** The person's counter; they have changed something. */
export const countedOf = async (email: string) =>
  Counted.parse(await env.DB.prepare("SELECT day, bytes FROM day_changes WHERE owner_email = ?").bind(email).first());

/** Leaves the person as many bytes for the rest of the day. */
export const leaveBytes = async (email: string, bytes: number): Promise<void> => {
  await env.DB.prepare("INSERT OR REPLACE INTO day_changes (owner_email, day, bytes) VALUES (?, ?, ?)")
    .bind(email, dayOf(Date.now()), DAY_LIMIT - bytes)
    .run();
};
