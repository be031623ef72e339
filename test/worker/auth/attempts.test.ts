/** What counts as an attempt. Each isolate remembers full counters, so these are attempts in isolates that know of none. */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { type AttemptLimit, countAttempt } from "../../../src/auth/count-attempts.ts";
import { openDb } from "../../../src/db/db.ts";

const HOUR_MS = 3_600_000;
const nowMs = Date.now();

const aLimit = (max: number, windowMs = HOUR_MS): AttemptLimit => ({
  ...{ name: "test", of: crypto.randomUUID() },
  ...{ max, windowMs },
});

/** Counts an attempt as an isolate does that knows nothing yet. */
const attempt = (limits: readonly AttemptLimit[], atMs = nowMs) => {
  const DB = new Proxy(env.DB, {
    get: (db, name) => {
      const own: unknown = Reflect.get(db, name);
      return typeof own === "function" ? own.bind(db) : own;
    },
  });
  return countAttempt(openDb(DB), "a secret of at least thirty-two bytes", limits, atMs);
};

it("an attempt that one limit refuses uses up nothing of another", async () => {
  const [narrow, wide] = [aLimit(1), aLimit(3)];
  expect(await attempt([narrow, wide])).toBeUndefined();
  expect([await attempt([narrow, wide]), await attempt([wide, narrow]), await attempt([narrow, wide])]).toEqual([
    ...[3_600, 3_600, 3_600],
  ]);
  expect([await attempt([wide]), await attempt([wide]), await attempt([wide])]).toEqual([undefined, undefined, 3_600]);
});

it("an attempt that fills two limits at once is counted, and the next one waits for the longer", async () => {
  const [short, long] = [aLimit(1), aLimit(1, 2 * HOUR_MS)];
  expect(await attempt([short, long])).toBeUndefined();
  expect(await attempt([short, long])).toBe(7_200);
  expect(await attempt([short, long], nowMs + HOUR_MS)).toBe(3_600);
  expect(await attempt([short], nowMs + HOUR_MS)).toBeUndefined();
});
