/** An hour in which all notices together have been mailed as often as they may. */
import { env as plain } from "cloudflare:test";
import { expect, it } from "vitest";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { sendDueNotices } from "../../../src/notice/send-due.ts";
import { dueAt } from "../../support/workerd/due-notices.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { mailsTo, outbox } from "../../support/workerd/outbox.ts";
import { somebody } from "../../support/workerd/somebody.ts";

nothingDue();

// A limit of its own has a counter of its own. Half of it is for notices.
const env = { ...plain, MAIL: outbox, MAILS_PER_HOUR: "4" };

const MINUTE_MS = 60_000;

it("what others have used up is mailed when the hour is over", async () => {
  const [ann, bob] = [somebody(), somebody()];
  const nowMs = Date.parse("2041-02-03T10:00:00Z");
  const send = async (person: typeof ann, atMs: number) =>
    await sendDueNotices(env, atMs, { owner: OwnerEmail.parse(person.email) });
  await dueAt(ann, nowMs, 2);
  await dueAt(bob, nowMs, 1);
  await send(ann, nowMs);
  await send(bob, nowMs + MINUTE_MS);
  await send(bob, nowMs + 30 * MINUTE_MS);
  expect([mailsTo(ann.email).length, mailsTo(bob.email).length]).toEqual([2, 0]);
  await send(bob, nowMs + 61 * MINUTE_MS);
  await send(bob, nowMs + 62 * MINUTE_MS);
  expect(mailsTo(bob.email).map(({ subject }) => subject)).toEqual(["S0 is at or below its buy target"]);
});
