/** How often codes may be asked for and tried, and people invited: counted in D1, since six digits are soon guessed by who may go on guessing. */
import type { Db } from "../db/db.ts";
import type { Env } from "../env.ts";
import { fullUntilMs, noteFull } from "./full-windows.ts";
import { hashOf } from "./keyed-hash.ts";
import { mailboxOf } from "./mailbox.ts";

/** A limit on one thing: at most `max` in each window. `of` is what is counted, an e-mail or an address. */
export type AttemptLimit = {
  readonly name: string;
  readonly of: string;
  readonly max: number;
  readonly windowMs: number;
};

const MINUTE_MS = 60_000;
const QUARTER_HOUR_MS = 15 * MINUTE_MS;

/** Codes asked for from one address: many people may share one. */
export const codesByAddress = (address: string): AttemptLimit[] => [
  { name: "codes-address", of: address, max: 30, windowMs: QUARTER_HOUR_MS },
];

/** Codes sent to one mailbox. With five tries a code, the second one also ends guessing: a chance of 1 in 10,000 a day. */
export const codesByEmail = (email: string): AttemptLimit[] => [
  { name: "codes-email", of: mailboxOf(email), max: 5, windowMs: QUARTER_HOUR_MS },
  { name: "codes-email-day", of: mailboxOf(email), max: 20, windowMs: 24 * 60 * MINUTE_MS },
];

/** Codes tried from one address, whatever the e-mail. */
export const triesByAddress = (address: string): AttemptLimit[] => [
  { name: "tries-address", of: address, max: 60, windowMs: QUARTER_HOUR_MS },
];

/** Invitations that one person sends, and that one e-mail is sent: nobody's mailbox is filled through this app. */
export const invitationsBy = (email: string): AttemptLimit[] => [
  { name: "invitations-by-day", of: email, max: 30, windowMs: 24 * 60 * MINUTE_MS },
];
export const invitationsTo = (email: string): AttemptLimit[] => [
  { name: "invitations-to-day", of: mailboxOf(email), max: 5, windowMs: 24 * 60 * MINUTE_MS },
];

/** Mails of all kinds an hour, where `MAILS_PER_HOUR` does not say otherwise: what is sent costs money and the sender's name. */
const MAX_MAILS_PER_HOUR = 2_000;

const HOUR_MS = 60 * MINUTE_MS;

/** Mails that this deployment sends in an hour, whoever they go to and whoever has them sent. */
export const mailsOfAll = ({ MAILS_PER_HOUR }: Pick<Env, "MAILS_PER_HOUR">): AttemptLimit[] => {
  const given = Number(MAILS_PER_HOUR);
  const max = Number.isInteger(given) && given > 0 ? given : MAX_MAILS_PER_HOUR;
  // Another limit counts anew: an isolate may still take the old one for full.
  return [{ name: "mails-hour", of: `all ${max}`, max, windowMs: HOUR_MS }];
};

/**
 * The same work in D1 for a mail that is not sent, which never is one too many: else strangers, who have any number of
 * addresses, could use up the mails of those who may sign in.
 */
export const mailsOfNobody = (): AttemptLimit[] => [
  { name: "mails-hour", of: "nobody", max: Number.MAX_SAFE_INTEGER, windowMs: HOUR_MS },
];

type Counted = { readonly count: number; readonly window_end_ms: number };

/**
 * Counts one attempt. Gives the seconds to wait when it was one too many. `secret` keys the hashes that name the counters. A
 * counter that is full is written no more, and this isolate does not ask for it again before its window ends.
 */
export const countAttempt = async (
  { $client: d1 }: Db,
  secret: string,
  limits: readonly AttemptLimit[],
  nowMs: number,
): Promise<number | undefined> => {
  const counted = await Promise.all(
    limits.map(async (limit) => ({ ...limit, key: await hashOf(secret, `${limit.name} ${limit.of}`) })),
  );
  const keys = counted.map(({ key }) => key);
  const endMs = fullUntilMs(d1, keys, nowMs) ?? (await countAll(d1, counted, nowMs));
  return endMs === undefined ? undefined : Math.max(1, Math.ceil((endMs - nowMs) / 1_000));
};

type KeyedLimit = AttemptLimit & { readonly key: string };

/** When the last of those windows ends that are full, undefined where none is. */
const countAll = async (d1: D1Database, limits: readonly KeyedLimit[], nowMs: number): Promise<number | undefined> => {
  const results = await d1.batch<Counted>(
    limits.flatMap(({ key, max, windowMs }) => [
      d1.prepare(COUNT).bind(key, nowMs, nowMs + windowMs, max),
      d1.prepare("SELECT count, window_end_ms FROM sign_in_attempts WHERE key = ?").bind(key),
    ]),
  );
  const ends = limits.flatMap(({ key }, place) => {
    // Only a counter that has not been full gives back a row.
    if (results[2 * place]?.results.length !== 0) return [];
    const endMs = results[2 * place + 1]?.results[0]?.window_end_ms ?? nowMs;
    noteFull(d1, key, endMs);
    return [endMs];
  });
  return ends.length === 0 ? undefined : Math.max(...ends);
};

const COUNT = `
  INSERT INTO sign_in_attempts (key, count, window_end_ms) VALUES (?1, 1, ?3)
  ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN window_end_ms <= ?2 THEN 1 ELSE count + 1 END,
    window_end_ms = CASE WHEN window_end_ms <= ?2 THEN ?3 ELSE window_end_ms END
  WHERE window_end_ms <= ?2 OR count < ?4
  RETURNING count, window_end_ms`;

/** The address counters go by: of IPv6 the first half, since one household has all of the other. */
export const addressOf = (request: Request): string => {
  const address = request.headers.get("cf-connecting-ip") ?? "";
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail ? tail.split(":") : [];
  const gap = tail === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill("0");
  return [...first, ...gap, ...last].slice(0, 4).join(":");
};
