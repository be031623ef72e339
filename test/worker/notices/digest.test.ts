/** What is over a day's ten is told the next day, in one notice. */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { OwnerEmail, RequestId, RunId, ThreadId } from "../../../src/contract/ids.ts";
import { sendDueNotices } from "../../../src/notice/send-due.ts";
import { tellRequest, tellRunEnd } from "../../../src/notice/tell.ts";
import { dueAt } from "../../support/workerd/due-notices.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { aPhone } from "../../support/workerd/push-device.ts";
import { somebody } from "../../support/workerd/somebody.ts";

nothingDue();

// The days of these tests are to come: a push service refuses a token that has expired.
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

it("ten are told in a day and the rest in one digest the next, permission requests beside them", async () => {
  const person = somebody();
  const phone = await aPhone(person);
  const dayMs = Date.parse("2040-05-03T10:00:00Z");
  await dueAt(person, dayMs, 14);
  await Promise.all([sendDueNotices(env, dayMs), sendDueNotices(env, dayMs)]);
  const run = { threadId: ThreadId.parse("t"), runId: RunId.parse(crypto.randomUUID()) };
  const requestId = RequestId.parse(crypto.randomUUID());
  const request = { requestId, what: "permission" as const, expiresAtMs: Date.now() + DAY_MS };
  await tellRequest(env, { ownerEmail: OwnerEmail.parse(person.email), ...run }, request);
  expect((await phone.notices()).filter(({ kind }) => kind === "target")).toHaveLength(10);
  expect(await phone.notices()).toHaveLength(11);
  await sendDueNotices(env, Date.parse("2040-05-03T23:59:00Z"));
  expect(await phone.notices()).toHaveLength(11);
  await sendDueNotices(env, Date.parse("2040-05-04T00:00:00Z"));
  await sendDueNotices(env, Date.parse("2040-05-04T09:00:00Z"));
  const [digest, ...others] = (await phone.notices()).slice(11);
  expect(digest).toEqual({ kind: "target", tag: "digest", title: "4 more notices", url: "/" });
  expect(others).toEqual([]);
});

it("a digest that is sent again leaves what was held since to the next one", async () => {
  const person = somebody();
  const phone = await aPhone(person);
  const dayMs = Date.parse("2040-06-03T10:00:00Z");
  await dueAt(person, dayMs, 14);
  await sendDueNotices(env, dayMs);
  await phone.answerWith(503);
  await sendDueNotices(env, dayMs + DAY_MS);
  await env.DB.prepare("UPDATE notices SET state = 'held' WHERE owner_email = ? AND state = 'sent'")
    .bind(person.email)
    .run();
  await sendDueNotices(env, dayMs + DAY_MS + HOUR_MS);
  expect((await phone.notices()).at(-1)).toMatchObject({ tag: "digest", title: "4 more notices" });
  const held = env.DB.prepare("SELECT count(*) AS n FROM notices WHERE owner_email = ? AND state = 'held'");
  expect(await held.bind(person.email).first()).toEqual({ n: 10 });
});

it("what a sender holds after the day's digest has gone is in the next one", async () => {
  const person = somebody();
  const phone = await aPhone(person);
  const lateMs = Date.parse("2040-07-03T23:59:59Z");
  const midnightMs = lateMs + 1_000;
  await dueAt(person, lateMs, 12);
  let settled = 0;
  await sendDueNotices(env, lateMs, {
    // Midnight comes while the last one is sent.
    before: async (step) => {
      settled += step === "settle" ? 1 : 0;
      if (step === "settle" && settled === 12) await sendDueNotices(env, midnightMs);
    },
  });
  const told = async () => (await phone.notices()).slice(10).map(({ title }) => title);
  expect(await told()).toEqual(["1 more notice"]);
  await sendDueNotices(env, midnightMs + HOUR_MS);
  expect(await told()).toEqual(["1 more notice"]);
  await sendDueNotices(env, midnightMs + DAY_MS);
  await sendDueNotices(env, midnightMs + DAY_MS + HOUR_MS);
  expect(await told()).toEqual(["1 more notice", "1 more notice"]);
});

it("a digest is sent as a kind that its person wants, whatever was held first", async () => {
  const person = somebody();
  const phone = await aPhone(person);
  const dayMs = Date.parse("2040-08-03T10:00:00Z");
  await dueAt(person, dayMs, 10);
  await sendDueNotices(env, dayMs);
  const hold = async () => {
    await env.DB.prepare(
      "UPDATE notices SET due_at_ms = ?1 WHERE owner_email = ?2 AND state = 'waiting' AND kind = 'run_end'",
    )
      .bind(dayMs, person.email)
      .run();
    await sendDueNotices(env, dayMs, { owner: OwnerEmail.parse(person.email) });
  };
  const run = { ownerEmail: OwnerEmail.parse(person.email), threadId: ThreadId.parse("t") };
  await tellRunEnd(
    { ...env, NOTICES_PAUSED: "true" },
    { ...run, runId: RunId.parse(crypto.randomUUID()) },
    "completed",
  );
  await hold();
  await dueAt(person, dayMs + 1, 1);
  await sendDueNotices(env, dayMs + 1);
  await person.ask("PATCH", "/_framework/settings", { notices: { runEnd: "none" } });
  await sendDueNotices(env, dayMs + DAY_MS);
  await sendDueNotices(env, dayMs + 2 * DAY_MS);
  expect((await phone.notices()).slice(10)).toEqual([
    { kind: "target", tag: "digest", title: "1 more notice", url: "/" },
  ]);
});
