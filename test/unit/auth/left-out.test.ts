/** What the deployed Worker has in place of parts of better-auth. */
import { expect, it } from "vitest";
import { onRequestRateLimit, toZodSchema } from "../../../src/auth/left-out.ts";
import { memoryAdapter } from "../../../src/auth/left-out-memory.ts";
import * as routes from "../../../src/auth/left-out-routes.ts";
import * as tokens from "../../../src/auth/left-out-tokens.ts";
import { SpanStatusCode, trace } from "../../../src/auth/left-out-tracing.ts";

it("has no columns to add to better-auth's", () => {
  expect(toZodSchema({ fields: {} }).parse({ name: "x" })).toEqual({});
});

it("does not drop columns of ours in silence", () => {
  expect(() => toZodSchema({ fields: { color: { type: "string" } } })).toThrow("Added columns need better-auth's own");
});

it("answers none of better-auth's routes that are not open: they have no path, and fail", async () => {
  for (const route of [routes.verifyEmail, routes.signInSocial(), routes.createTeam(), routes.generator]) {
    expect(route).not.toHaveProperty("path");
    await expect(route()).rejects.toThrow("left out");
  }
});

it("limits no requests, and says so where it should", async () => {
  const limit = (enabled: boolean) =>
    onRequestRateLimit(new Request("https://example.com"), { rateLimit: { enabled } });
  expect(await limit(false)).toBeUndefined();
  await expect(limit(true)).rejects.toThrow("left out");
});

it("makes and reads no tokens", () => {
  expect(tokens.jwtVerify).toThrow("left out");
  expect(tokens.xchacha20poly1305).toThrow("left out");
});

it("keeps no log-ins in memory", () => {
  expect(memoryAdapter).toThrow("without a database");
});

it("traces nothing: what runs in a span runs, and its result or failure is what it would be without", () => {
  const run = (work: () => unknown) =>
    trace.getTracer().startActiveSpan("db findOne users", {}, (span) => {
      span.setAttribute();
      span.setStatus();
      span.recordException();
      span.end();
      return work();
    });
  expect(run(() => SpanStatusCode.OK)).toBe(1);
  expect(() =>
    run(() => {
      throw new Error("of the query");
    }),
  ).toThrow("of the query");
});
