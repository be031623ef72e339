/**
 * Limits how often codes may be requested and tried, people invited, mails and notices sent, and accounts exported. Counted in D1, since
 * six digits are soon guessed without a limit.
 */
import { mailboxOf } from "../contract/digest.ts";
import type { Db } from "../db/db.ts";
import type { Env } from "../env.ts";
import { hashOf } from "./auth-secret.ts";

/** Counters kept in memory for one database: about 100 bytes each. */
const MAX_KNOWN = 10_000;

const known = new WeakMap<D1Database, Map<string, number>>();

/**
 * When the last window ends of those counters that this isolate knows to be full; undefined when it knows of none. Until then D1
 * need not be queried. A counter that was forgotten is queried again.
 */
const fullUntilMs = (d1: D1Database, keys: readonly string[], nowMs: number): number | undefined => {
  const ends = keys.map((key) => known.get(d1)?.get(key) ?? 0).filter((endMs) => endMs > nowMs);
  return ends.length === 0 ? undefined : Math.max(...ends);
};

/** Remembers a full counter. */
const noteFull = (d1: D1Database, key: string, endMs: number): void => {
  const windows = known.get(d1) ?? new Map<string, number>();
  if (windows.size >= MAX_KNOWN) windows.clear();
  known.set(d1, windows.set(key, endMs));
};

/** A limit on one thing: at most `max` in each window. `of` is what the attempts are counted for, such as an e-mail or an address. */
export type AttemptLimit = {
  readonly name: string;
  readonly of: string;
  readonly max: number;
  readonly windowMs: number;
};

const MINUTE_MS = 60_000;

const QUARTER_HOUR_MS = 15 * MINUTE_MS;

/** Codes requested from one address, which many people may share. */
export const codesByAddress = (address: string): AttemptLimit[] => [
  { name: "codes-address", of: address, max: 30, windowMs: QUARTER_HOUR_MS },
];

/** Codes sent to one mailbox. With five tries for each code, the second limit also bounds guessing: a chance of 1 in 10,000 a day. */
export const codesByEmail = (email: string): AttemptLimit[] => [
  { name: "codes-email", of: mailboxOf(email), max: 5, windowMs: QUARTER_HOUR_MS },
  { name: "codes-email-day", of: mailboxOf(email), max: 20, windowMs: 24 * 60 * MINUTE_MS },
];

/**
 * Codes sent to one log-in before its first command. Counted separately from sign-in codes, which anybody can request, and by
 * log-in: a stolen log-in does not use up the codes of the person's other log-ins.
 */
export const freshCodesBy = (loginId: string): AttemptLimit[] => [
  { name: "fresh-codes", of: loginId, max: 5, windowMs: QUARTER_HOUR_MS },
  { name: "fresh-codes-day", of: loginId, max: 20, windowMs: 24 * 60 * MINUTE_MS },
];

/** Codes tried from one address, for any e-mail. */
export const triesByAddress = (address: string): AttemptLimit[] => [
  { name: "tries-address", of: address, max: 60, windowMs: QUARTER_HOUR_MS },
];

/** Invitations sent by one person, and to one e-mail, so that this app cannot be used to flood a mailbox. */
export const invitationsBy = (email: string): AttemptLimit[] => [
  { name: "invitations-by-day", of: mailboxOf(email), max: 30, windowMs: 24 * 60 * MINUTE_MS },
];

export const invitationsTo = (email: string): AttemptLimit[] => [
  { name: "invitations-to-day", of: mailboxOf(email), max: 5, windowMs: 24 * 60 * MINUTE_MS },
];

/** Exports of one account: each reads all there is of a person, with three calls for each of their runs. */
export const exportsOf = (owner: string): AttemptLimit[] => [
  { name: "exports-hour", of: owner, max: 20, windowMs: HOUR_MS },
];

/** Default for all mails in an hour, unless `MAILS_PER_HOUR` is set: mails cost money and the sender's reputation. */
const MAX_MAILS_PER_HOUR = 2_000;

const HOUR_MS = 60 * MINUTE_MS;

const mailsPerHour = ({ MAILS_PER_HOUR }: Pick<Env, "MAILS_PER_HOUR">): number => {
  const given = Number(MAILS_PER_HOUR);
  return Number.isInteger(given) && given > 0 ? given : MAX_MAILS_PER_HOUR;
};

/** Mails that this deployment sends in an hour, to anybody and for anybody. */
export const mailsOfAll = (env: Pick<Env, "MAILS_PER_HOUR">): AttemptLimit[] => {
  const max = mailsPerHour(env);
  // A different limit starts a new counter: an isolate may still take the old one for full.
  return [{ name: "mails-hour", of: `all ${max}`, max, windowMs: HOUR_MS }];
};

/** Most notices mailed to one person in an hour. Requests have no daily limit, as other notices have, and a script can make them. */
const MAX_NOTICES_OF_ONE = 30;

/** Notices mailed to one person. */
export const noticesTo = (owner: string): AttemptLimit[] => [
  { name: "notices-hour", of: owner, max: MAX_NOTICES_OF_ONE, windowMs: HOUR_MS },
];

/** Notices mailed to anybody: half of all mails, since the other half is for the codes by which people sign in. */
export const noticesOfAll = (env: Pick<Env, "MAILS_PER_HOUR">): AttemptLimit[] => {
  const max = Math.ceil(mailsPerHour(env) / 2);
  return [{ name: "notices-of-all-hour", of: `all ${max}`, max, windowMs: HOUR_MS }, ...mailsOfAll(env)];
};

/**
 * Makes the same work in D1 for a mail that is not sent, but never reaches its limit. If such mails were counted, strangers, who
 * have any number of addresses, could use up the mails of those who may sign in.
 */
export const mailsOfNobody = (): AttemptLimit[] => [
  { name: "mails-hour", of: "nobody", max: Number.MAX_SAFE_INTEGER, windowMs: HOUR_MS },
];

type FullCounter = { readonly key: string; readonly window_end_ms: number };

/**
 * Counts one attempt under all limits, or under none when one of them is reached: then it returns the seconds to wait. `secret` is the
 * key of the hashes that name the counters. This isolate does not query a full counter again before its window ends.
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

/** When the last window of the full counters ends; undefined when none was full, and the attempt was counted. */
const countAll = async (d1: D1Database, limits: readonly KeyedLimit[], nowMs: number): Promise<number | undefined> => {
  const counted = JSON.stringify(limits.map(({ key, max, windowMs }) => ({ key, max, windowMs })));
  const [full] = await d1.batch<FullCounter>([
    d1.prepare(FULL).bind(counted, nowMs),
    // In one statement, since no limit may count the attempt when another one is full.
    d1.prepare(COUNT).bind(counted, nowMs),
  ]);
  const ends = full?.results.map(({ key, window_end_ms: endMs }) => {
    noteFull(d1, key, endMs);
    return endMs;
  });
  return ends === undefined || ends.length === 0 ? undefined : Math.max(...ends);
};

/** The counters that are full. */
const FULL = `
  SELECT counter.key, window_end_ms FROM json_each(?1) AS one CROSS JOIN sign_in_attempts AS counter ON counter.key = one.value ->> '$.key'
  WHERE window_end_ms > ?2 AND count >= one.value ->> '$.max'`;

const COUNT = `
  INSERT INTO sign_in_attempts (key, count, window_end_ms)
  SELECT value ->> '$.key', 1, ?2 + (value ->> '$.windowMs') FROM json_each(?1) WHERE NOT EXISTS (${FULL})
  ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN window_end_ms <= ?2 THEN 1 ELSE count + 1 END,
    window_end_ms = CASE WHEN window_end_ms <= ?2 THEN excluded.window_end_ms ELSE window_end_ms END`;

/** The address that is counted: for IPv6 only the first half, since one household has the whole other half. */
export const addressOf = (request: Request): string => {
  const address = request.headers.get("cf-connecting-ip") ?? "";
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail ? tail.split(":") : [];
  const gap = tail === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill("0");
  return [...first, ...gap, ...last].slice(0, 4).join(":");
};
