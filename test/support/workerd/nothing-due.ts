/** The cron is everybody's: what a test leaves due would be started, and mailed, in the files after it. */
import { env } from "cloudflare:test";
import { afterEach, beforeEach } from "vitest";

const clear = async (): Promise<void> => {
  const tables = ["schedules", "notices", "host_deletions"];
  await env.DB.batch(tables.map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
};

/** Nothing is due when a test of this file begins, nor afterwards. */
export const nothingDue = (): void => {
  beforeEach(clear);
  afterEach(clear);
};
