/** A Worker has six connections: pushes take five of them, and one that waits for its turn does not run out of time meanwhile. */
import { env } from "cloudflare:test";
import { expect, inject, it, onTestFinished, vi } from "vitest";
import { ANSWER_LIMIT_MS } from "../../../src/notice/push.ts";
import { sendDueNotices } from "../../../src/notice/send-due.ts";
import { PUSHES_AT_ONCE } from "../../../src/notice/send-pushes.ts";
import { aroundMethod } from "../../support/around-method.ts";
import { watchTimers } from "../../support/watch-timers.ts";
import { dueAt } from "../../support/workerd/due-notices.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { aPhone } from "../../support/workerd/push-device.ts";
import { somebody } from "../../support/workerd/somebody.ts";

nothingDue();

/** Counts pushes from their time limit's start to their answer; returns the most there have been at a time. */
const watchPushes = () => {
  /** Time limits that start and answers that come, in their order. Objects of other tests have some of their own. */
  const steps: { readonly limit: unknown; readonly by: 1 | -1 }[] = [];
  const ofPushes = new Set<unknown>();
  // The first ones are answered once all of them have begun.
  const full = Promise.withResolvers<void>();
  const Controller = AbortController;
  vi.stubGlobal(
    "AbortController",
    class extends Controller {
      constructor() {
        super();
        steps.push({ limit: this.signal, by: 1 });
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  aroundMethod(globalThis, "fetch", async (_, [url, init], call) => {
    const limit: unknown = Object(init).signal;
    const isPush = String(url).startsWith(`${inject("pushUrl")}/push/`);
    if (isPush && ofPushes.add(limit).size === PUSHES_AT_ONCE) full.resolve();
    if (isPush) await full.promise;
    try {
      return await call();
    } finally {
      steps.push({ limit, by: -1 });
    }
  });
  return () => {
    let [open, most] = [0, 0];
    for (const { by } of steps.filter(({ limit }) => ofPushes.has(limit))) {
      open += by;
      most = Math.max(most, open);
    }
    return { open, most };
  };
};

it("pushes of several people to many devices are sent five at a time, and all arrive", async () => {
  const people = [somebody(), somebody(), somebody()];
  const phones = await Promise.all(
    people.flatMap((person) => [aPhone(person), aPhone(person), aPhone(person), aPhone(person)]),
  );
  const nowMs = Date.now();
  await Promise.all(people.map((person) => dueAt(person, nowMs, 1)));
  const pushes = watchPushes();
  await sendDueNotices(env, nowMs);
  expect(pushes()).toEqual({ open: 0, most: PUSHES_AT_ONCE });
  const arrived = await Promise.all(phones.map((phone) => phone.notices()));
  expect(arrived.map((notices) => notices.length)).toEqual(phones.map(() => 1));
});

it("a push that is sent leaves no time limit behind, which would keep the object that sends it in memory", async () => {
  const person = somebody();
  const phone = await aPhone(person);
  const nowMs = Date.now();
  await dueAt(person, nowMs, 1);
  const timers = watchTimers();
  await sendDueNotices(env, nowMs);
  expect(await phone.notices()).toHaveLength(1);
  // Others may have limits of this length at work.
  expect(timers.set(ANSWER_LIMIT_MS)).toBeGreaterThan(0);
  await expect.poll(() => timers.left(ANSWER_LIMIT_MS)).toBe(0);
});
