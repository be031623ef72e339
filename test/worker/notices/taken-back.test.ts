/** What a device is told of a request that was answered: nothing, where it was not told of the request. */
import { env as plain } from "cloudflare:test";
import { expect, it } from "vitest";
import { OwnerEmail, RequestId, RunId, ThreadId } from "../../../src/contract/ids.ts";
import type { Env } from "../../../src/env.ts";
import { sendDueNotices } from "../../../src/notice/send-due.ts";
import { tellRequest, tellRequestClosed } from "../../../src/notice/tell.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { outbox } from "../../support/workerd/outbox.ts";
import { aPhone } from "../../support/workerd/push-device.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";

nothingDue();

const env = { ...plain, MAIL: outbox };

const HOUR_MS = 3_600_000;

const ask = async ({ email }: Somebody, world: Env = env) => {
  const run = { threadId: ThreadId.parse("t"), runId: RunId.parse(crypto.randomUUID()) };
  const told = { ownerEmail: OwnerEmail.parse(email), ...run };
  const requestId = RequestId.parse(crypto.randomUUID());
  await tellRequest(world, told, { requestId, what: "permission", expiresAtMs: Date.now() + 24 * HOUR_MS });
  return { close: () => tellRequestClosed(env, told, requestId) };
};

const choose = (person: Somebody, permission: string) =>
  person.ask("PATCH", "/_framework/settings", { notices: { permission } });

it.each(["none", "mail"])("nothing is pushed of an answer where the request went by %s", async (permission) => {
  const person = somebody();
  const phone = await aPhone(person);
  await choose(person, permission);
  const { close } = await ask(person);
  await close();
  expect(await phone.notices()).toEqual([]);
});

it("a push that may have arrived is taken back, also when its person wants to hear nothing since", async () => {
  const person = somebody();
  const phone = await aPhone(person);
  await phone.answerWith(599);
  const { close } = await ask(person);
  await choose(person, "none");
  await sendDueNotices(env, Date.now() + HOUR_MS);
  await close();
  expect((await phone.notices()).map(({ kind }) => kind)).toEqual(["permission", "close"]);
});

it("a push that waited until its claim had run out is not sent behind the one that takes it back", async () => {
  const person = somebody();
  const phone = await aPhone(person);
  const { close } = await ask(person, { ...env, NOTICES_PAUSED: "true" });
  const endClaim = env.DB.prepare("UPDATE notices SET claimed_until_ms = 1 WHERE owner_email = ?").bind(person.email);
  const overtake = async () => {
    await endClaim.run();
    await close();
  };
  await sendDueNotices(env, Date.now(), { before: async (step) => (step === "push" ? overtake() : undefined) });
  expect((await phone.notices()).map(({ kind }) => kind)).toEqual(["close"]);
});
