/** A push service that is not ready says when to come back. */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { sendDueNotices } from "../../../src/notice/send-due.ts";
import { dueAt } from "../../support/workerd/due-notices.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { aPhone } from "../../support/workerd/push-device.ts";
import { somebody } from "../../support/workerd/somebody.ts";

nothingDue();

/** To come: a push service refuses a token that has expired. */
const NOW_MS = Date.parse("2040-05-03T10:00:00Z");

/** How long after a push that was answered so the next one is due, in seconds. */
const pauseAfter = async (...replies: { readonly status: number; readonly retryAfter: string }[]) => {
  const person = somebody();
  for (const reply of replies) await (await aPhone(person)).answerWith(reply);
  await dueAt(person, NOW_MS, 1);
  await sendDueNotices(env, NOW_MS);
  const notice = env.DB.prepare("SELECT state, due_at_ms AS at FROM notices WHERE owner_email = ?");
  const { state, at } = Object(await notice.bind(person.email).first());
  return [state, (at - NOW_MS) / 1_000];
};

it.each([
  [429, "600", 600],
  [503, "600", 600],
  [503, "Thu, 03 May 2040 10:20:00 GMT", 1_200],
  // Not sooner than without it, and not later than an hour.
  [429, "1", 60],
  [429, "0", 60],
  [503, "86400", 3_600],
  [503, "99999999999999999999", 3_600],
  [503, "Fri, 04 May 2040 10:00:00 GMT", 3_600],
  // What cannot be read, or is of the past.
  [429, "-600", 60],
  [429, "soon", 60],
  [503, "Thu, 03 May 2040 09:00:00 GMT", 60],
] as const)("after %i with Retry-After %j a push waits %i seconds", async (status, retryAfter, seconds) => {
  expect(await pauseAfter({ status, retryAfter })).toEqual(["waiting", seconds]);
});

it("of two services the later one is waited for", async () => {
  const replies = ["1200", "600"].map((retryAfter) => ({ status: 503, retryAfter }));
  expect(await pauseAfter(...replies)).toEqual(["waiting", 1_200]);
});
