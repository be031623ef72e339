/** Sending dies at random steps, two hundred times: no push is lost, each device shows each once, and no mail is sent twice. */
import { env as plain } from "cloudflare:test";
import { expect, it } from "vitest";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { insertNotice } from "../../../src/db/notices/outbox.ts";
import { saveNoticeSettings } from "../../../src/db/notices/recipients.ts";
import { type SendStep, sendDueNotices } from "../../../src/notice/send-due.ts";
import { randomOf } from "../../support/random.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { mailsTo, outbox } from "../../support/workerd/outbox.ts";
import { aPhone } from "../../support/workerd/push-device.ts";
import { somebody } from "../../support/workerd/somebody.ts";

nothingDue();

const env = { ...plain, MAIL: outbox };

const CASES = 200;

/** Longer than a claim lasts, and than the first pauses after a push that failed. */
const LATER_MS = 10 * 60_000;

const KINDS = ["permission", "run_end", "target"] as const;

it("through two hundred crashes", { timeout: 120_000 }, async () => {
  const random = randomOf(23);
  const person = somebody();
  const owner = OwnerEmail.parse(person.email);
  const phones = [await aPhone(person), await aPhone(person)];
  await saveNoticeSettings(openDb(env.DB), owner, { target: "mail" });
  let nowMs = Date.parse("2027-05-03T00:00:00Z");
  let crashes = 0;
  for (let nth = 0; nth < CASES; nth += 1) {
    const kind = KINDS[nth % KINDS.length] ?? "target";
    const about = { kind, tag: `${kind}-${nth}`, title: `${kind} ${nth}`, url: "/", dedupKey: String(nth) };
    const notice = { ownerEmail: owner, ...about, expiresAtMs: nowMs + 24 * LATER_MS };
    await insertNotice(openDb(env.DB), notice, { nowMs }).run();
    // Delivered, and answered as if it had not been.
    if (random() < 0.3) await phones[nth % 2]?.answerWith(599);
    const dieAt = Math.floor(random() * 4);
    let step = 0;
    const before = async (_: SendStep) => {
      step += 1;
      if (step !== dieAt) return;
      crashes += 1;
      throw new Error("crash");
    };
    await sendDueNotices(env, nowMs, { owner, before });
    for (let again = 0; again < 3; again += 1) {
      nowMs += LATER_MS;
      await sendDueNotices(env, nowMs, { owner });
    }
    // One case a day, so that the day's ten do not hold anything.
    nowMs += 24 * 3_600_000;
  }
  expect(crashes).toBeGreaterThan(CASES / 4);
  const told = (kinds: readonly string[]) =>
    Array.from({ length: CASES }, (_, nth) => [KINDS[nth % KINDS.length] ?? "", nth] as const)
      .filter(([kind]) => kinds.includes(kind))
      .map(([kind, nth]) => `${kind}-${nth}`);
  for (const phone of phones) {
    // What a device shows: the last one of each tag.
    const shown = new Map((await phone.notices()).map(({ tag, title }) => [tag, title]));
    expect([...shown.keys()].sort()).toEqual(told(["permission", "run_end"]).sort());
  }
  const mailed = mailsTo(person.email).flatMap(({ subject }) => (/^target \d+$/.test(subject) ? [subject] : []));
  expect(new Set(mailed).size).toBe(mailed.length);
  const { results } = await env.DB.prepare("SELECT DISTINCT state FROM notices WHERE owner_email = ?")
    .bind(owner)
    .all();
  expect(results).toEqual([{ state: "sent" }]);
});
