/** Sending that takes long: each claim has its whole time, and a push that would outlast it is left to the next one. */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { runMinute } from "../../../src/account/run-cron.ts";
import { sendDueNotices } from "../../../src/notice/send-due.ts";
import { dueAt } from "../../support/workerd/due-notices.ts";
import { heldClock } from "../../support/workerd/held-clock.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { aPhone } from "../../support/workerd/push-device.ts";
import { somebody } from "../../support/workerd/somebody.ts";

nothingDue();

const MINUTE_MS = 60_000;

/** Somebody with a phone, and a clock that stands still. */
const aWorld = async () => {
  const [person, startMs] = [somebody(), Date.now()];
  return { person, startMs, phone: await aPhone(person), clock: heldClock(startMs) };
};

/** When the claim of a person's only notice ends. */
const claimEnd = (email: string) =>
  env.DB.prepare("SELECT claimed_until_ms FROM notices WHERE state = 'waiting' AND owner_email = ?")
    .bind(email)
    .first<number>("claimed_until_ms");

it("a push that would outlast its claim is left to whoever claims it next", async () => {
  const { person, startMs, phone, clock } = await aWorld();
  await dueAt(person, startMs, 1);
  const before = async (step: string) => (step === "push" ? clock.set(startMs + 2 * MINUTE_MS - 10_000) : undefined);
  await sendDueNotices(env, startMs, { before });
  expect(await phone.notices()).toEqual([]);
  await sendDueNotices(env, startMs + 2 * MINUTE_MS);
  expect(await phone.notices()).toHaveLength(1);
});

it("a call's second claim is as long as its first one", async () => {
  const { person, startMs, phone, clock } = await aWorld();
  await dueAt(person, startMs, 1);
  const ends: (number | null)[] = [];
  const passMinute = async () => {
    clock.forward(MINUTE_MS);
    await dueAt(person, startMs - 1, 1);
  };
  const steps = {
    settle: async () => void ends.push(await claimEnd(person.email)),
    mail: passMinute,
    push: async () => {},
    end: passMinute,
  };
  await sendDueNotices(env, startMs, { before: (step) => steps[step]() });
  expect(await phone.notices()).toHaveLength(2);
  expect(ends).toEqual([startMs + 2 * MINUTE_MS, startMs + 3 * MINUTE_MS]);
});

it("the cron's claim begins when what comes before it is done", async () => {
  const { person, startMs, phone, clock } = await aWorld();
  await dueAt(person, startMs + MINUTE_MS, 1);
  const DB = new Proxy(env.DB, {
    get: (db, name) => {
      clock.set(startMs + MINUTE_MS);
      return Reflect.get(db, name).bind(db);
    },
  });
  await runMinute({ ...env, DB }, startMs);
  expect(await phone.notices()).toHaveLength(1);
});
