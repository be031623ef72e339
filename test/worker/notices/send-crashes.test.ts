/**
 * Whoever tells something or sends it dies two hundred times, around any call of the database and before any step of sending, in nights
 * in which the clock is changed: no push is lost, each device shows each once, one that was answered elsewhere is gone, no mail is sent
 * twice, in quiet hours there are only permission requests, and nothing is told of a run that somebody watches or of a stock that a
 * split holds.
 */
import { env as plain } from "cloudflare:test";
import { expect, it } from "vitest";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { closeNotice, insertNotice, type NewNotice } from "../../../src/db/notices/outbox.ts";
import { saveNoticeSettings } from "../../../src/db/notices/recipients.ts";
import { sendDueNotices } from "../../../src/notice/send-due.ts";
import { tellTargetHits } from "../../../src/notice/tell-target-hits.ts";
import { randomOf } from "../../support/random.ts";
import { dyingDatabase } from "../../support/workerd/dying-database.ts";
import { nothingDue } from "../../support/workerd/nothing-due.ts";
import { mailsTo, outbox } from "../../support/workerd/outbox.ts";
import { aPhone } from "../../support/workerd/push-device.ts";
import { shiftedClock } from "../../support/workerd/shifted-clock.ts";
import { somebody } from "../../support/workerd/somebody.ts";
import { aTargetStock } from "../../support/workerd/target-stock.ts";
import { watchRun } from "../../support/workerd/watched-run.ts";

nothingDue();

const env = { ...plain, MAIL: outbox };

const CRASHES = 200;

/** Longer than a claim lasts, and than the first pauses after a push that failed. */
const LATER_MS = 10 * 60_000;

/** Calls and steps of the longest way to send one notice. */
const MAX_CALLS = 11;

const KINDS = ["permission", "run_end", "target"] as const;

/** Splits that a stock is held by, one hit after the other. */
const SPLITS = ["none", "waiting", "none", "unseen"] as const;

/** Of so many things that are told one is not, because a run is watched. */
const WATCHED_EACH = 10;

const HOUR_MS = 3_600_000;

/** Evenings in Berlin before both changes of the clock, by turns; to come, since a push service refuses a token that is over. */
const EVENINGS = ["2040-03-24", "2040-10-27", "2041-03-30", "2041-10-26", "2042-03-29", "2042-10-25", "2043-03-28"].map(
  (day) => Date.parse(`${day}T18:00:00Z`),
);

/** Of the hit stock. */
const targetTitle = (nth: number): string => `S${nth} is at or below its buy target`;

/** From an evening to when the quiet hours have been over for a while. */
const NIGHT_MS = 14 * HOUR_MS;

const quietHours = { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" };

/** By the clock on the wall, and nothing of what is tested. */
const isQuiet = (ms: number): boolean => {
  const hour = Number(new Date(ms).toLocaleString("en-GB", { timeZone: "Europe/Berlin", hour: "2-digit" }));
  return hour >= 22 || hour < 7;
};

it("through two hundred crashes", { timeout: 180_000 }, async () => {
  const random = randomOf(23);
  const clock = shiftedClock();
  // The alarms of objects are set by this clock and ring by the real one: from now on only when they are made to.
  clock.forward(HOUR_MS);
  const person = somebody();
  const owner = OwnerEmail.parse(person.email);
  const phones = [await aPhone(person), await aPhone(person)];
  const stock = await aTargetStock(person);
  const db = openDb(env.DB);
  await saveNoticeSettings(db, owner, { target: "mail", quietHours });
  const [...evenings] = EVENINGS;
  let nightMs = evenings.shift() ?? 0;
  let nowMs = nightMs;
  /** How often something that can wait was told. */
  const told = async () => {
    const pushed = (await Promise.all(phones.map((phone) => phone.notices()))).flat();
    return pushed.filter(({ kind }) => kind === "run_end").length + mailsTo(person.email).length;
  };
  let [quietLooks, toldBefore] = [0, await told()];
  const expectQuiet = async () => {
    const toldNow = await told();
    if (isQuiet(nowMs)) {
      quietLooks += 1;
      expect(toldNow).toBe(toldBefore);
    }
    toldBefore = toldNow;
  };
  let crashes = 0;
  /** Does it in an instance that dies somewhere, or after it is done. */
  const dying = async (maxCalls: number, work: (world: ReturnType<typeof dyingDatabase>) => Promise<unknown>) => {
    const world = dyingDatabase(env.DB, 1 + Math.floor(random() * maxCalls), random() < 0.5);
    await work(world).catch(() => undefined);
    if (world.hasDied()) crashes += 1;
  };
  const send = ({ binding, pass }: ReturnType<typeof dyingDatabase>) =>
    sendDueNotices({ ...env, DB: binding }, nowMs, { owner, before: pass });
  const open: string[] = [];
  const closed: string[] = [];
  const watched: string[] = [];
  const hits: string[] = [];
  for (let nth = 0; crashes < CRASHES; nth += 1) {
    const kind = KINDS[nth % KINDS.length] ?? "target";
    const about = { kind, tag: `${kind}-${nth}`, title: `${kind} ${nth}`, url: "/", dedupKey: String(nth) };
    const notice: NewNotice = { ownerEmail: owner, ...about, expiresAtMs: nowMs + 24 * HOUR_MS };
    if (nth % WATCHED_EACH === 0) {
      watched.push(...(await watchRun(person, clock, `watched ${nth}`)));
      crashes += 1;
    }
    const split = SPLITS[Math.floor(nth / KINDS.length) % SPLITS.length] ?? "none";
    if (kind === "target") {
      await stock.hit(nth, split, nowMs);
      if (split === "none") hits.push(targetTitle(nth));
    }
    const tell = async (binding: D1Database) => {
      if (kind === "target") await tellTargetHits({ ...env, DB: binding }, nowMs);
      else await insertNotice(openDb(binding), notice, { nowMs }).run();
    };
    // Whoever has something to tell tries until it is stored.
    await dying(2, ({ binding }) => tell(binding));
    await tell(env.DB);
    // Delivered, and answered as if it had not been.
    if (random() < 0.3) await phones[nth % 2]?.answerWith(599);
    await dying(MAX_CALLS, send);
    await expectQuiet();
    const isClosed = kind === "permission" && random() < 0.5;
    if (isClosed) {
      const closing: NewNotice = { ...notice, kind: "close", dedupKey: `close ${nth}`, title: "No longer open" };
      await dying(2, ({ binding }) => closeNotice(openDb(binding), notice.dedupKey, closing, nowMs));
      await closeNotice(db, notice.dedupKey, closing, nowMs);
      await dying(MAX_CALLS, send);
    }
    if (kind !== "target") (isClosed ? closed : open).push(notice.tag);
    for (let again = 0; again < 3; again += 1) {
      nowMs += LATER_MS;
      await sendDueNotices(env, nowMs, { owner });
      await expectQuiet();
    }
    // The ten of a day are another test's.
    await env.DB.prepare("UPDATE notices SET counted_at_ms = 0 WHERE owner_email = ?").bind(owner).run();
    if (nowMs > nightMs + NIGHT_MS) {
      nightMs = evenings.shift() ?? nightMs + 24 * HOUR_MS;
      nowMs = nightMs;
    }
  }
  // The last night ends too.
  for (const hours of [24, 25, 26]) await sendDueNotices(env, nightMs + hours * HOUR_MS, { owner });
  expect(quietLooks).toBeGreaterThan(100);
  for (const phone of phones) {
    // What a device shows: the last one of each tag, unless that took it back.
    const last = new Map((await phone.notices()).map(({ tag, kind }) => [tag, kind]));
    const shown = [...last].flatMap(([tag, kind]) => (kind === "close" ? [] : [tag]));
    expect(shown.sort()).toEqual(open.sort());
    expect([...last.keys()].filter((tag) => closed.includes(tag)).length).toBeGreaterThan(0);
  }
  const all = await env.DB.prepare("SELECT tag, title, kind, state FROM notices WHERE owner_email = ?")
    .bind(owner)
    .all<{ tag: string; title: string; kind: string; state: string }>();
  expect(all.results.filter(({ state }) => state !== "sent" && state !== "dropped")).toEqual([]);
  const targets = all.results.flatMap(({ kind, title }) => (kind === "target" ? [title] : []));
  expect(targets.sort()).toEqual(hits.sort());
  const mailed = mailsTo(person.email).flatMap(({ subject }) => (/ target$/.test(subject) ? [subject] : []));
  expect(mailed.length).toBeGreaterThan(0);
  expect(new Set(mailed).size).toBe(mailed.length);
  expect(watched.length).toBeGreaterThan(20);
  expect(all.results.filter(({ tag }) => watched.includes(tag))).toEqual([]);
});
