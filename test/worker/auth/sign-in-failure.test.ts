/** A sign-in that fails on our side: the log says why, and names nobody. */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { captureLog } from "../../support/workerd/captured-log.ts";
import worker from "../../support/workerd/test-worker.ts";

const ORIGIN = "https://tally.test";

/** A database that is lost once codes are asked for. */
const lostDb: D1Database = new Proxy(env.DB, {
  get: (db, name) => {
    if (name !== "prepare") return Reflect.get(db, name).bind(db);
    return (sql: string) => {
      if (sql.includes("sign_in_code")) throw new Error("D1_ERROR: Network connection lost.");
      return db.prepare(sql);
    };
  },
});

it("is logged with its cause, and without the address and the code", async () => {
  const log = captureLog();
  const answer = await worker.request(
    `${ORIGIN}/_framework/auth/sign-in/email-otp`,
    {
      method: "POST",
      headers: { "content-type": "application/json", origin: ORIGIN },
      body: JSON.stringify({ email: "ann@example.com", otp: "123456" }),
    },
    { ...env, DB: lostDb },
  );
  expect([answer.status, answer.headers.get("retry-after"), answer.headers.get("x-error-code")]).toEqual([
    503,
    "2",
    null,
  ]);
  expect(await answer.json()).toEqual({ error: "The agent is unavailable. Try again." });
  expect(log.lines({ level: "error", requestId: answer.headers.get("x-request-id") })).toMatchObject([
    { message: "A request broke.", error: expect.stringContaining("D1_ERROR: Network connection lost.") },
  ]);
  expect(log.text()).not.toMatch(/ann@|123456/);
});
