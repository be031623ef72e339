/** A phone that is off, or without a network, is told of everything when it comes back: push services keep few topics for it. */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { OwnerEmail, RequestId, RunId, ThreadId } from "../../../src/contract/ids.ts";
import { sendDueNotices } from "../../../src/notice/send-due.ts";
import { tellRequest, tellRequestClosed, tellRunEnd } from "../../../src/notice/tell.ts";
import { dueAt } from "../../support/workerd/due-notices.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { aPhone } from "../../support/workerd/push-device.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";

nothingDue();

const DAY_MS = 24 * 3_600_000;

const aRun = ({ email }: Somebody) => ({
  ownerEmail: OwnerEmail.parse(email),
  threadId: ThreadId.parse("a chat"),
  runId: RunId.parse(crypto.randomUUID()),
});

const ask = async (person: Somebody) => {
  const [run, requestId] = [aRun(person), RequestId.parse(crypto.randomUUID())];
  await tellRequest(env, run, { requestId, what: "permission", expiresAtMs: Date.now() + DAY_MS });
  return { run, requestId };
};

it("all that was told is there, beside the request that waits", async () => {
  const person = somebody();
  const phone = await aPhone(person);
  await phone.leave();
  await ask(person);
  const nowMs = Date.now();
  await dueAt(person, nowMs, 5);
  await sendDueNotices(env, nowMs, { owner: OwnerEmail.parse(person.email) });
  await tellRunEnd(env, aRun(person), "completed");
  expect(await phone.notices()).toEqual([]);
  await phone.comeBack();
  expect((await phone.notices()).map(({ kind }) => kind)).toEqual([
    "permission",
    ...Array.from({ length: 5 }, () => "target"),
    "run_end",
  ]);
});

it("of a request that was closed meanwhile, only that is told", async () => {
  const person = somebody();
  const phone = await aPhone(person);
  await phone.leave();
  const { run, requestId } = await ask(person);
  await tellRequestClosed(env, run, requestId);
  await phone.comeBack();
  expect((await phone.notices()).map(({ kind }) => kind)).toEqual(["close"]);
});
