/**
 * What a device is told of a request that was answered: nothing, where it was not told of the request. And of a target that waits to be
 * told: nothing, where its owner does not want to be told of it any more.
 */
import { env as plain } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { OwnerEmail, RequestId, RunId, ThreadId } from "../../../src/contract/ids.ts";
import type { Env } from "../../../src/env.ts";
import { sendDueNotices } from "../../../src/notice/send-due.ts";
import { tellRequest, tellRequestClosed } from "../../../src/notice/tell.ts";
import { answerOf } from "../../support/workerd/answer.ts";
import { dueAt } from "../../support/workerd/due-notices.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { outbox } from "../../support/workerd/outbox.ts";
import { aPhone } from "../../support/workerd/push-device.ts";
import { runClient } from "../../support/workerd/run-client.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";
import { HIGH, LOW, titles, withApple } from "../../support/workerd/told-targets.ts";

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

/** Somebody with a phone, whose Apple has hit its target. */
const withHit = async (targets: Parameters<typeof withApple>[0]) => {
  const ann = await withApple(targets);
  const { request } = runClient(ann.email);
  const ask = async (method: string, path: string, body?: unknown) =>
    answerOf(await request(path, { method, body: JSON.stringify(body) }));
  const phone = await aPhone({ ask });
  await ann.cron();
  return { ...ann, ask, phone, set: (set: object) => ann.act("update-stock", { id: ann.id, set }) };
};

type World = Awaited<ReturnType<typeof withHit>>;

/** The same in quiet hours, and what is told when they are over, after this change. */
const toldAfterQuiet = async (targets: Parameters<typeof withApple>[0], change: (ann: World) => Promise<unknown>) => {
  const ann = await withHit(targets);
  const timeOf = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString().slice(11, 16);
  const quietHours = { from: timeOf(-1), to: timeOf(2), timeZone: "UTC" };
  await ann.ask("PATCH", "/_framework/settings", { notices: { quietHours } });
  await sendDueNotices(env, Date.now());
  await change(ann);
  await sendDueNotices(env, Date.now());
  expect(await ann.phone.notices()).toEqual([]);
  await sendDueNotices(env, Date.now() + 3 * HOUR_MS);
  return titles(await ann.phone.notices());
};

/** The answer of a split of ten for one, which scales 1950 to 195. */
const splitOf = async ({ id, act, quote }: World) => {
  const split = { day: "2026-06-10", numerator: 10, denominator: 1 };
  await env.DB.prepare("UPDATE stocks SET pending_split = ? WHERE id = ?").bind(JSON.stringify(split), id).run();
  await quote("price", "19.05");
  const { stock } = await act("update-stock", { id, split: { day: split.day, answer: "apply" } });
  expect(stock).toMatchObject({ targetLow: "195" });
};

describe("a hit that waits for quiet hours to end is told", () => {
  it.each<[string, Parameters<typeof withApple>[0], (ann: World) => Promise<unknown>, string]>([
    ["where nothing is changed", { targetLow: "195" }, async () => {}, LOW],
    ["on the upper side", { targetHigh: "190" }, async () => {}, HIGH],
    [
      "where something else is changed",
      { targetLow: "195" },
      ({ set }) => set({ notes: "mine", targetHigh: "300" }),
      LOW,
    ],
    ["where a split has scaled it", { targetLow: "1950" }, splitOf, LOW],
  ])("%s", async (_, targets, change, title) => {
    expect(await toldAfterQuiet(targets, change)).toEqual([title]);
  });

  it("once where another target of its side is hit meanwhile", async () => {
    const another = async ({ set, cron }: World) => {
      await set({ targetLow: "192" });
      await cron();
    };
    expect(await toldAfterQuiet({ targetLow: "195" }, another)).toEqual([LOW]);
  });
});

describe("a hit that waits for quiet hours to end is not told", () => {
  it.each<[string, (ann: World) => Promise<unknown>]>([
    ["of a stock that is deleted", ({ act, id }) => act("delete-stock", { ids: [id] })],
    ["of a stock that tells nothing any more", ({ set }) => set({ notify: false })],
    ["of a target that is another one now", ({ set }) => set({ targetLow: "150" })],
    ["of a stock that has another listing now", ({ set }) => set({ symbol: "MSFT" })],
    ["of a target that is removed", ({ set }) => set({ targetLow: null, targetHigh: "300" })],
  ])("%s", async (_, change) => {
    expect(await toldAfterQuiet({ targetLow: "195" }, change)).toEqual([]);
  });
});

it("a digest leaves out the targets that are off, and is not sent for them alone", async () => {
  const [ann, bob] = [await withHit({ targetLow: "195" }), await withHit({ targetLow: "195" })];
  const dayMs = Date.parse("2040-09-03T10:00:00Z");
  const later = env.DB.prepare(
    "UPDATE notices SET due_at_ms = ?1 + 1, expires_at_ms = ?1 * 2 WHERE dedup_key LIKE 'target:%'",
  );
  await later.bind(dayMs).run();
  for (const person of [ann, bob]) await dueAt(person, dayMs, 10);
  await sendDueNotices(env, dayMs);
  await dueAt(bob, dayMs + 1, 1);
  await sendDueNotices(env, dayMs + 1);
  for (const { act, id } of [ann, bob]) await act("delete-stock", { ids: [id] });
  await sendDueNotices(env, dayMs + 24 * HOUR_MS);
  expect((await ann.phone.notices()).slice(10)).toEqual([]);
  expect(titles((await bob.phone.notices()).slice(10))).toEqual(["1 more notice"]);
});
