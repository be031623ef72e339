/** What people are told, and when: pushes that their devices can read, mails, quiet hours, and the digest of a day. */
import { env as plain } from "cloudflare:test";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { sendFreshCode } from "../../../src/auth/send-mail.ts";
import { requestDeletion } from "../../../src/auth/sign-in-rows.ts";
import { OwnerEmail, RequestId, RunId, ThreadId } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { sendDueNotices } from "../../../src/notice/send-due.ts";
import { tellRequest, tellRequestClosed, tellRunEnd } from "../../../src/notice/tell.ts";
import { dueAt, tellTargetHit } from "../../support/workerd/due-notices.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { mailsTo, outbox } from "../../support/workerd/outbox.ts";
import { aPhone } from "../../support/workerd/push-device.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";

nothingDue();

const env = { ...plain, MAIL: outbox };

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const ownerOf = ({ email }: Somebody) => OwnerEmail.parse(email);

const aRun = (person: Somebody) => ({
  ownerEmail: ownerOf(person),
  threadId: ThreadId.parse("a chat/1"),
  runId: RunId.parse(crypto.randomUUID()),
});

const ask = async (person: Somebody) => {
  const request = { requestId: RequestId.parse(crypto.randomUUID()), expiresAtMs: Date.now() + DAY_MS };
  const run = aRun(person);
  await tellRequest(env, run, { ...request, what: "permission" });
  return { ...request, run };
};

const hit = (person: Somebody, symbol = "AAPL", nth = 1) =>
  tellTargetHit(env, { ownerEmail: ownerOf(person), stockId: symbol, symbol, side: "low", target: "150.25", nth });

const set = async (person: Somebody, notices: unknown) => {
  expect((await person.ask("PATCH", "/_framework/settings", { notices })).status).toBe(200);
};

describe("a push", () => {
  it("can be read by the device, and says nothing of what was asked", async () => {
    const person = somebody();
    const phone = await aPhone(person);
    const { requestId } = await ask(person);
    const [push, ...others] = await phone.all();
    expect(others).toEqual([]);
    expect(push?.notice).toEqual({
      ...{ kind: "permission", tag: `request-${requestId}`, title: "The agent needs your permission" },
      url: `/t/a%20chat%2F1#request-${requestId}`,
    });
    expect(push).toMatchObject({ urgency: "high" });
    expect(push?.ttl).toBeGreaterThan(86_000);
  });

  it("goes to each device, and once for each cause", async () => {
    const person = somebody();
    const phones = [await aPhone(person), await aPhone(person)];
    await hit(person);
    await hit(person);
    await sendDueNotices(env, Date.now() + HOUR_MS);
    const notices = await Promise.all(phones.map(({ notices: all }) => all()));
    expect(notices.map((all) => all.map(({ title }) => title))).toEqual([
      ["AAPL is at or below its buy target"],
      ["AAPL is at or below its buy target"],
    ]);
    await hit(person, "AAPL", 2);
    expect(await phones[0]?.notices()).toHaveLength(2);
  });

  it.each([404, 410])("answered %i removes the device, and the others have it", async (status) => {
    const person = somebody();
    const [gone, other] = [await aPhone(person), await aPhone(person)];
    await gone.answerWith(status);
    await hit(person);
    expect(await person.ask("GET", "/_framework/push")).toMatchObject({
      body: { devices: [{ deviceId: other.deviceId }] },
    });
    expect(await other.notices()).toHaveLength(1);
  });

  it("whose last device is gone is mailed to somebody who has chosen no way, once", async () => {
    const person = somebody();
    const [gone, other] = [await aPhone(person), await aPhone(person)];
    await gone.answerWith(410);
    await other.answerWith(404);
    await hit(person);
    await sendDueNotices(env, Date.now() + HOUR_MS);
    // The first one was the code to sign in with.
    const [, ...mails] = mailsTo(person.email);
    expect(mails.map(({ subject }) => subject)).toEqual(["AAPL is at or below its buy target"]);
  });

  it("that may have arrived is repeated under the same tag, to the device that needs it", async () => {
    const person = somebody();
    const [first, second] = [await aPhone(person), await aPhone(person)];
    await first.answerWith(599, 503);
    await hit(person);
    const nowMs = Date.now();
    await sendDueNotices(env, nowMs + MINUTE_MS + 1_000);
    await sendDueNotices(env, nowMs + 5 * MINUTE_MS);
    await sendDueNotices(env, nowMs + HOUR_MS);
    const pushes = await first.all();
    expect(pushes).toHaveLength(2);
    expect(pushes[0]?.notice).toEqual(pushes[1]?.notice);
    expect(await second.notices()).toHaveLength(1);
  });

  it("is closed by another under the same tag, once the request is decided", async () => {
    const person = somebody();
    const phone = await aPhone(person);
    const { run, requestId } = await ask(person);
    await tellRequestClosed(env, run, requestId);
    await tellRequestClosed(env, run, requestId);
    const [asked, closed, ...others] = await phone.all();
    expect([closed?.notice.kind, closed?.notice.tag, closed?.topic]).toEqual([
      "close",
      asked?.notice.tag,
      asked?.topic,
    ]);
    expect(others).toEqual([]);
  });

  it("of a request that was decided first is never sent, nor is a closing one", async () => {
    const person = somebody();
    const phone = await aPhone(person);
    const paused = { ...env, NOTICES_PAUSED: "true" };
    const run = aRun(person);
    const requestId = RequestId.parse(crypto.randomUUID());
    await tellRequest(paused, run, { requestId, what: "permission", expiresAtMs: Date.now() + DAY_MS });
    await tellRequestClosed(env, run, requestId);
    await sendDueNotices(env, Date.now() + HOUR_MS);
    expect(await phone.notices()).toEqual([]);
  });
});

describe("a mail", () => {
  it("of any kind stays here while nothing may leave the machine", async () => {
    const person = somebody();
    const offline = { ...env, OFFLINE: "true" };
    await expect(sendFreshCode(offline, person.email, "123456")).rejects.toThrow("OFFLINE");
    expect(mailsTo(person.email)).toEqual([]);
  });

  it("is for people without a device: one link, and a way to have no more", async () => {
    const person = somebody();
    await hit(person);
    await sendDueNotices(env, Date.now() + HOUR_MS);
    expect(mailsTo(person.email)).toEqual([
      {
        ...{ to: person.email, from: "tally@example.com", subject: "AAPL is at or below its buy target" },
        text: "AAPL is at or below its buy target.\n\nhttps://tally.test/stocks?dialog=detail&id=AAPL\n",
        headers: {
          "List-Unsubscribe": expect.stringMatching(
            /^<https:\/\/tally\.test\/_framework\/unsubscribe\/[\da-f]+\.[\da-f]{64}>$/,
          ),
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
      },
    ]);
  });

  it("of thirty requests in an hour is enough: a person's script does not use up the codes of others", async () => {
    const person = somebody();
    for (let nth = 0; nth < 32; nth += 1) await ask(person);
    await sendDueNotices(env, Date.now() + HOUR_MS);
    expect(mailsTo(person.email)).toHaveLength(30);
  });

  it("is sent once by several at the same time, and never again when sending failed", async () => {
    const [person, unlucky] = [somebody(), somebody()];
    const nowMs = Date.now();
    await dueAt(person, nowMs, 1);
    await dueAt(unlucky, nowMs, 1);
    const broken = { ...env, MAIL: { send: () => Promise.reject(new Error("away")) } };
    await sendDueNotices(broken, nowMs, { owner: ownerOf(unlucky) });
    await Promise.all([sendDueNotices(env, nowMs), sendDueNotices(env, nowMs), sendDueNotices(env, nowMs + HOUR_MS)]);
    expect([mailsTo(person.email).length, mailsTo(unlucky.email).length]).toEqual([1, 0]);
  });

  it("that could not be counted is sent later, and once", async () => {
    const person = somebody();
    const nowMs = Date.now();
    await dueAt(person, nowMs, 1);
    const prepare = (text: string) => {
      if (text.includes("sign_in_attempts")) throw new Error("D1_ERROR: Network connection lost.");
      return env.DB.prepare(text);
    };
    const DB = new Proxy(env.DB, {
      get: (db, name) => (name === "prepare" ? prepare : Reflect.get(db, name).bind(db)),
    });
    await sendDueNotices({ ...env, DB }, nowMs);
    expect(mailsTo(person.email)).toEqual([]);
    await sendDueNotices(env, nowMs + 10 * MINUTE_MS);
    await sendDueNotices(env, nowMs + 20 * MINUTE_MS);
    expect(mailsTo(person.email)).toHaveLength(1);
  });
});

describe("the settings", () => {
  const PATH = "/_framework/settings";

  it("are pushes for people who have a device, and mails of what they need to know for others", async () => {
    const person = somebody();
    const mails = { permission: "mail", runEnd: "none", target: "mail", quietHours: null };
    expect(await person.ask("GET", PATH)).toMatchObject({ status: 200, body: { notices: mails } });
    await aPhone(person);
    const pushes = { permission: "push", runEnd: "push", target: "push", quietHours: null };
    expect(await person.ask("GET", PATH)).toMatchObject({ status: 200, body: { notices: pushes } });
  });

  it("keep what a change leaves out", async () => {
    const person = somebody();
    const quietHours = { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" };
    await set(person, { quietHours, target: "none" });
    await set(person, { permission: "push" });
    const notices = { permission: "push", runEnd: "none", target: "none", quietHours };
    expect(await person.ask("GET", PATH)).toMatchObject({ body: { notices } });
    expect(await person.ask("PATCH", PATH, { notices: { quietHours: null } })).toMatchObject({
      body: { notices: { ...notices, quietHours: null } },
    });
  });

  it.each([
    [{ notices: { permission: "sms" } }, "notices.permission: use push, mail or none"],
    [
      { notices: { quietHours: { from: "24:00", to: "07:00", timeZone: "UTC" } } },
      "notices.quietHours.from: use a time such as 22:00",
    ],
    [
      { notices: { quietHours: { from: "07:00", to: "07:00", timeZone: "UTC" } } },
      "notices.quietHours.to: use another time than from",
    ],
    [
      { notices: { quietHours: { from: "22:00", to: "07:00", timeZone: "+1" } } },
      "notices.quietHours.timeZone: use a name such as Europe/Berlin",
    ],
    [{ notice: {} }, "notice: unknown field, leave it out"],
  ])("refuse %j", async (body, error) => {
    expect(await somebody().ask("PATCH", PATH, body)).toEqual({ status: 400, body: { error } });
  });

  it("decide what is told", async () => {
    const person = somebody();
    const phone = await aPhone(person);
    await set(person, { runEnd: "none", target: "mail" });
    await tellRunEnd(env, aRun(person), "completed");
    await hit(person);
    await ask(person);
    expect((await phone.notices()).map(({ kind }) => kind)).toEqual(["permission"]);
    const subjects = mailsTo(person.email).map(({ subject }) => subject);
    expect(subjects.filter((subject) => !subject.includes("code"))).toEqual(["AAPL is at or below its buy target"]);
  });
});

describe("quiet hours", () => {
  /** 23:30 in Berlin, at the beginning of a night in which the clock goes forward; to come, since a push service refuses an expired token. */
  const NIGHT_MS = Date.parse("2040-03-24T22:30:00Z");

  it("hold everything but permission requests, until they are over by the clock on the wall", async () => {
    const person = somebody();
    const phone = await aPhone(person);
    await set(person, { quietHours: { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" } });
    await dueAt(person, NIGHT_MS, 1);
    await sendDueNotices(env, NIGHT_MS);
    await sendDueNotices(env, Date.parse("2040-03-25T04:59:59Z"));
    expect(await phone.notices()).toEqual([]);
    onTestFinished(() => void vi.useRealTimers());
    vi.setSystemTime(NIGHT_MS);
    await ask(person);
    vi.useRealTimers();
    expect((await phone.notices()).map(({ kind }) => kind)).toEqual(["permission"]);
    await sendDueNotices(env, Date.parse("2040-03-25T05:00:00Z"));
    expect((await phone.notices()).map(({ kind }) => kind)).toEqual(["permission", "target"]);
  });
});

it("nobody is told while notices are paused or nothing may leave the machine, of an account that is being deleted, or who is not allowed", async () => {
  const [person, leaving] = [somebody(), somebody()];
  const phones = [await aPhone(person), await aPhone(leaving)];
  const nowMs = Date.now();
  await dueAt(person, nowMs, 1);
  await dueAt(leaving, nowMs, 1);
  await requestDeletion(openDb(env.DB), ownerOf(leaving), nowMs);
  await sendDueNotices({ ...env, NOTICES_PAUSED: "true" }, nowMs);
  await sendDueNotices({ ...env, OFFLINE: "true" }, nowMs);
  expect(await phones[0]?.notices()).toEqual([]);
  await sendDueNotices(env, nowMs);
  await dueAt(person, nowMs + 1, 1);
  await sendDueNotices({ ...env, ALLOWED_EMAILS: "ann@example.com" }, nowMs + 1);
  expect([await phones[0]?.notices(), await phones[1]?.notices()]).toMatchObject([[{ tag: "t0" }], []]);
  await sendDueNotices(env, nowMs + 2 * HOUR_MS);
  expect(await phones[0]?.notices()).toMatchObject([{ tag: "t0" }, { tag: "t0" }]);
  await env.DB.prepare("DELETE FROM account_deletions").run();
});
