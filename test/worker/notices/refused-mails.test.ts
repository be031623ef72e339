/** Mails that a limit of Cloudflare's Email Service refuses: they are sent later, and once, unless there is nothing to tell any more. */
import { env as plain } from "cloudflare:test";
import { expect, it } from "vitest";
import { OwnerEmail, RequestId, RunId, ThreadId } from "../../../src/contract/ids.ts";
import { sendDueNotices } from "../../../src/notice/send-due.ts";
import { tellRequest, tellRequestClosed } from "../../../src/notice/tell.ts";
import { dueAt } from "../../support/workerd/due-notices.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { mailsTo, outbox } from "../../support/workerd/outbox.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";

nothingDue();

const env = { ...plain, MAIL: outbox };

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** What Email Service does at a limit, after `first`. */
const refusing = (code: string, first = async () => {}) => ({
  ...plain,
  MAIL: {
    send: async () => {
      await first();
      throw Object.assign(new Error("Too many."), { code });
    },
  },
});

const aRequest = (person: Somebody) => ({
  run: {
    ownerEmail: OwnerEmail.parse(person.email),
    threadId: ThreadId.parse("t"),
    runId: RunId.parse(crypto.randomUUID()),
  },
  requestId: RequestId.parse(crypto.randomUUID()),
});

it.each(["E_RATE_LIMIT_EXCEEDED", "E_DAILY_LIMIT_EXCEEDED"])(
  "%s: the mail is sent an hour later, and once",
  async (code) => {
    const person = somebody();
    const owner = OwnerEmail.parse(person.email);
    const nowMs = Date.now();
    await dueAt(person, nowMs, 1);
    await sendDueNotices(refusing(code), nowMs, { owner });
    await sendDueNotices(env, nowMs + 59 * MINUTE_MS, { owner });
    expect(mailsTo(person.email)).toEqual([]);
    await sendDueNotices(env, nowMs + 60 * MINUTE_MS, { owner });
    await sendDueNotices(env, nowMs + 120 * MINUTE_MS, { owner });
    expect(mailsTo(person.email).map(({ subject }) => subject)).toEqual(["S0 is at or below its buy target"]);
  },
);

it("a request is not mailed any more once it was answered while its mail waits, or is being refused", async () => {
  const person = somebody();
  const [first, second, open] = [aRequest(person), aRequest(person), aRequest(person)];
  const tell = (world: typeof plain, { run, requestId }: typeof first) =>
    tellRequest(world, run, { requestId, what: "permission", expiresAtMs: Date.now() + DAY_MS });
  const code = "E_RATE_LIMIT_EXCEEDED";
  await tell(refusing(code), first);
  await tellRequestClosed(env, first.run, first.requestId);
  await tell(
    refusing(code, () => tellRequestClosed(env, second.run, second.requestId)),
    second,
  );
  await tell(refusing(code), open);
  await sendDueNotices(env, Date.now() + 61 * MINUTE_MS);
  expect(mailsTo(person.email).map(({ text }) => text)).toEqual([expect.stringContaining(open.requestId)]);
});
