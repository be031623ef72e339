/** Pushes that a push service does not take: they count as told to nobody, and a device that gets none is let go. */
import { env as plain } from "cloudflare:test";
import { expect, it } from "vitest";
import { OwnerEmail, RequestId, RunId, ThreadId } from "../../../src/contract/ids.ts";
import { sendDueNotices } from "../../../src/notice/send-due.ts";
import { tellRequest, tellRequestClosed } from "../../../src/notice/tell.ts";
import { dueAt } from "../../support/workerd/due-notices.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { mailsTo, outbox } from "../../support/workerd/outbox.ts";
import { aPhone } from "../../support/workerd/push-device.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";

nothingDue();

const env = { ...plain, MAIL: outbox };

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const TARGET = "S0 is at or below its buy target";

/** Another pair of keys, as after a rotation. */
const otherKeys = async () => {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const pair = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  if (!("privateKey" in pair)) throw new Error("Such keys come in pairs.");
  const jwk = await crypto.subtle.exportKey("jwk", pair.privateKey);
  if (jwk instanceof ArrayBuffer) throw new Error("A JSON web key is an object.");
  const point = Buffer.concat([Buffer.from([4]), ...[jwk.x, jwk.y].map((part = "") => Buffer.from(part, "base64url"))]);
  return { VAPID_PUBLIC_KEY: point.toString("base64url"), VAPID_PRIVATE_KEY: jwk.d ?? "" };
};

const titlesTo = async (phone: Awaited<ReturnType<typeof aPhone>>) => (await phone.notices()).map(({ title }) => title);

/** Mails of notices: the first one was the code to sign in with. */
const noticesMailedTo = ({ email }: Somebody) =>
  mailsTo(email).flatMap(({ subject }) => (/ target$/.test(subject) ? [subject] : []));

const devicesOf = async (person: Somebody): Promise<unknown> =>
  Object((await person.ask("GET", "/_framework/push")).body).devices;

const statesOf = async ({ email }: Somebody) =>
  (await env.DB.prepare("SELECT state FROM notices WHERE owner_email = ?").bind(email).all()).results;

it.each([400, 401, 403, 413])("a push that is answered %i is tried again, as nobody has been told", async (status) => {
  const person = somebody();
  const phone = await aPhone(person);
  await phone.answerWith(status);
  const nowMs = Date.now();
  await dueAt(person, nowMs, 1);
  await sendDueNotices(env, nowMs);
  expect([await titlesTo(phone), await statesOf(person)]).toEqual([[], [{ state: "waiting" }]]);
  await sendDueNotices(env, nowMs + 2 * MINUTE_MS);
  await sendDueNotices(env, nowMs + HOUR_MS);
  expect([await titlesTo(phone), await statesOf(person)]).toEqual([[TARGET], [{ state: "sent" }]]);
  expect(await devicesOf(person)).toHaveLength(1);
});

/** Lets the cron run each hour, from one hour to another. */
const hourly = async (fromMs: number, from: number, to: number) => {
  for (let hour = from; hour <= to; hour += 1) await sendDueNotices(env, fromMs + hour * HOUR_MS);
};

it("a device that is refused for a day is removed, and what nobody was told is mailed, once", async () => {
  const person = somebody();
  const phone = await aPhone(person);
  await phone.answerWith(...Array.from({ length: 100 }, () => 403));
  const nowMs = Date.now();
  await dueAt(person, nowMs, 1);
  await hourly(nowMs, 0, 23);
  expect(await devicesOf(person)).toHaveLength(1);
  expect(noticesMailedTo(person)).toEqual([]);
  await hourly(nowMs, 24, 30);
  expect(await devicesOf(person)).toEqual([]);
  expect(noticesMailedTo(person)).toEqual([TARGET]);
});

it("a device whose push service takes no more at the moment stays, however Microsoft's says so", async () => {
  const person = somebody();
  const phone = await aPhone(person);
  await phone.answerWith(...Array.from({ length: 100 }, () => 406));
  const nowMs = Date.now();
  await dueAt(person, nowMs, 1);
  await hourly(nowMs, 0, 30);
  expect(await devicesOf(person)).toHaveLength(1);
});

it("a push that is worth telling for less than a second is taken by every service", async () => {
  const person = somebody();
  const phone = await aPhone(person);
  const nowMs = Date.now();
  await dueAt(person, nowMs, 1, 900);
  await sendDueNotices(env, nowMs);
  expect(await titlesTo(phone)).toEqual([TARGET]);
});

it("a device that takes a push in between stays", async () => {
  const person = somebody();
  const phone = await aPhone(person);
  const nowMs = Date.now();
  await phone.answerWith(403, 201, 403);
  await dueAt(person, nowMs, 1);
  await hourly(nowMs, 0, 1);
  await dueAt(person, nowMs + 25 * HOUR_MS, 1);
  await hourly(nowMs, 25, 25);
  expect(await devicesOf(person)).toHaveLength(1);
  await hourly(nowMs, 26, 26);
  expect(await titlesTo(phone)).toEqual([TARGET, TARGET]);
});

it("a device that subscribed with other keys is no device until those are back: what is pushed to others is mailed", async () => {
  const person = somebody();
  const phone = await aPhone(person);
  const rotated = { ...env, ...(await otherKeys()) };
  const nowMs = Date.now();
  await dueAt(person, nowMs, 1);
  await sendDueNotices(rotated, nowMs);
  expect([await titlesTo(phone), noticesMailedTo(person)]).toEqual([[], [TARGET]]);
  await dueAt(person, nowMs + 1, 1);
  await sendDueNotices(env, nowMs + 1);
  expect([await titlesTo(phone), noticesMailedTo(person)]).toEqual([[TARGET], [TARGET]]);
});

it("a device that subscribed with other keys is not listed, until it subscribes with those of today", async () => {
  const person = somebody();
  const phone = await aPhone(person);
  await env.DB.prepare("UPDATE push_devices SET public_key = 'another' WHERE id = ?").bind(phone.deviceId).run();
  expect(await devicesOf(person)).toEqual([]);
  await person.ask("POST", "/_framework/push", { ...Object(phone.subscription), label: "Phone" });
  expect(await devicesOf(person)).toMatchObject([{ deviceId: phone.deviceId }]);
});

it("nothing counts as sent to somebody who wants pushes and has no device", async () => {
  const person = somebody();
  await person.ask("PATCH", "/_framework/settings", { notices: { target: "push" } });
  await dueAt(person, Date.now(), 1);
  await sendDueNotices(env, Date.now());
  expect(await statesOf(person)).toEqual([{ state: "dropped" }]);
});

it("a request that was answered is closed at once, though another device is still to be tried", async () => {
  const person = somebody();
  const [phone, broken] = [await aPhone(person), await aPhone(person)];
  await broken.answerWith(400, 400);
  const run = {
    ownerEmail: OwnerEmail.parse(person.email),
    threadId: ThreadId.parse("t"),
    runId: RunId.parse(crypto.randomUUID()),
  };
  const requestId = RequestId.parse(crypto.randomUUID());
  await tellRequest(env, run, { requestId, what: "permission", expiresAtMs: Date.now() + 24 * HOUR_MS });
  await tellRequestClosed(env, run, requestId);
  expect((await phone.notices()).map(({ kind }) => kind)).toEqual(["permission", "close"]);
});

it("a device that is turned on again while a push to it is refused stays", async () => {
  const person = somebody();
  const phone = await aPhone(person);
  await phone.answerWith(403, 403);
  const nowMs = Date.now();
  await dueAt(person, nowMs, 1);
  await sendDueNotices(env, nowMs);
  await sendDueNotices(env, nowMs + 25 * HOUR_MS, {
    before: async (step) => {
      if (step === "push")
        await person.ask("POST", "/_framework/push", { ...Object(phone.subscription), label: "Phone" });
    },
  });
  expect(await devicesOf(person)).toMatchObject([{ deviceId: phone.deviceId }]);
});
