/**
 * The cron is everybody's: what a test leaves due would be started, and mailed, in the files after it. It also does a limited number of
 * each thing a minute: what hundreds of tests before have left could take the place of the one stock or copy that a test is about.
 */
import { env } from "cloudflare:test";
import { afterEach, beforeEach } from "vitest";

const clear = async (): Promise<void> => {
  const due = [
    "schedules",
    "notices",
    "host_deletions",
    "thread_deletions",
    "idempotency_keys",
    "stocks WHERE deleted_at IS NOT NULL",
  ];
  await env.DB.batch(due.map((rows) => env.DB.prepare(`DELETE FROM ${rows}`)));
};

/** Nothing is due when a test of this file begins, nor afterwards. */
export const nothingDue = (): void => {
  beforeEach(clear);
  afterEach(clear);
};
