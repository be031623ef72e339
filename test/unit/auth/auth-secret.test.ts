/** Which secret counts: 32 bytes or more. */
import { expect, it } from "vitest";
import { findAuthSecret } from "../../../src/auth/auth-secret.ts";

it.each([
  ["nothing", undefined],
  ["an empty one", ""],
  ["31 bytes", "x".repeat(31)],
])("%s does not count", (_, given) => {
  expect(findAuthSecret(given === undefined ? {} : { BETTER_AUTH_SECRET: given })).toBeUndefined();
});

it.each(["x".repeat(32), "ä".repeat(16)])("32 bytes count: %s", (given) => {
  expect(findAuthSecret({ BETTER_AUTH_SECRET: given })).toBe(given);
});
