/** Notices name the app's address, which nothing outside a request knows but APP_ORIGIN: until it is set, they wait. */
import { env as plain } from "cloudflare:test";
import { expect, it } from "vitest";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import type { Env } from "../../../src/env.ts";
import { sendDueNotices } from "../../../src/notice/send-due.ts";
import { dueAt } from "../../support/workerd/due-notices.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { mailsTo, outbox } from "../../support/workerd/outbox.ts";
import { aPhone } from "../../support/workerd/push-device.ts";
import { somebody } from "../../support/workerd/somebody.ts";

nothingDue();

const env = { ...plain, MAIL: outbox };

const MINUTE_MS = 60_000;

it.each([undefined, "", "tally.test", "tally.test:443", "http://tally.test"])(
  "are mailed once, within minutes of its being set, where it is %o",
  async (address) => {
    const person = somebody();
    const owner = OwnerEmail.parse(person.email);
    const { APP_ORIGIN: _, ...rest }: Env = env;
    const without = address === undefined ? rest : { ...rest, APP_ORIGIN: address };
    const nowMs = Date.now();
    await dueAt(person, nowMs, 1);
    await sendDueNotices(without, nowMs, { owner });
    await sendDueNotices(without, nowMs + 10 * MINUTE_MS, { owner });
    expect(mailsTo(person.email)).toEqual([]);
    await sendDueNotices(env, nowMs + 20 * MINUTE_MS, { owner });
    await sendDueNotices(env, nowMs + 120 * MINUTE_MS, { owner });
    expect(mailsTo(person.email)).toMatchObject([
      { subject: "S0 is at or below its buy target", text: expect.stringContaining("\n\nhttps://tally.test/stocks\n") },
    ]);
  },
);

it("that are pushed do not wait: a device knows where the app is", async () => {
  const person = somebody();
  const phone = await aPhone(person);
  const nowMs = Date.now();
  await dueAt(person, nowMs, 1);
  await sendDueNotices({ ...env, APP_ORIGIN: "" }, nowMs, { owner: OwnerEmail.parse(person.email) });
  expect(await phone.notices()).toHaveLength(1);
});
