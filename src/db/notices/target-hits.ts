/** Stocks whose target a source's price has hit, or has left again, since its owner was last told, and what is stored of that. */
import * as z from "zod";
import { DAY_MS, dayOf } from "../../contract/day.ts";
import type { OwnerEmail, StockId } from "../../contract/ids.ts";
import type { LastAlert } from "../../contract/prices/price-fields.ts";
import type { Db } from "../db.ts";
import { IS_SPLIT, LAST_SPLIT } from "../prices/copy-prices.ts";
import { INSERT_NOTICE, type NewNotice } from "./outbox.ts";

/** Stocks looked at in a minute, so that one cron ends. The rest follows a minute later. */
const MAX_STOCKS = 500;

/** The last target of a side that was told. Armed: the price has been far enough on the other side since, so the next hit is told too. */
const AlertMark = z.object({
  /** An earlier release may have stored null. No target is empty. */
  target: z.string().catch(""),
  /** Counts the hits of this side that were told, so that each has a key of its own. */
  nth: z.int().positive(),
  isArmed: z.boolean(),
});
export type AlertMark = z.infer<typeof AlertMark>;

/** What a stock keeps of the hits that were told. Never fails: one stock's marks must not keep everybody from being told. */
export const AlertMarks = z.object({ low: AlertMark.optional(), high: AlertMark.optional() }).catch({});
export type AlertMarks = z.infer<typeof AlertMarks>;

/** A stock that may have something to tell, with the newest price of its source. */
export type HitCandidate = {
  readonly id: StockId;
  readonly ownerEmail: OwnerEmail;
  readonly version: number;
  readonly symbol: string;
  /** The market, the symbol and the source of the listing that the price is of. */
  readonly mic: string | null;
  readonly listed: string;
  readonly source: string;
  readonly targetLow: string | null;
  readonly targetHigh: string | null;
  /** JSON of `AlertMarks`. */
  readonly alertMarks: string | null;
  readonly price: string;
  readonly asOf: string;
  /** JSON of a `QuoteMark`. */
  readonly mark: string;
  /** The stock's own last price. */
  readonly lastPrice: string | null;
  /** JSON of the listing's last `Split`. */
  readonly lastSplit: string | null;
};

/**
 * A little less than the 1 % of the rule. The caller compares exactly, but never sees what is left out here. A hit needs no such margin,
 * since rounding keeps the order of two amounts.
 */
const NEARLY_BACK = 0.0099;

/** Whether a side is hit and that was not told, or it was told and the price has left again. As SQL. */
const hasNews = (side: "low" | "high"): string => {
  const [target, mark] = [`CAST(s.target_${side} AS REAL)`, `s.alert_marks->>'$.${side}`];
  const [isHit, isBack] =
    side === "low"
      ? [`CAST(q.price AS REAL) <= ${target}`, `CAST(q.price AS REAL) >= ${target} * (1 + ${NEARLY_BACK})`]
      : [`CAST(q.price AS REAL) >= ${target}`, `CAST(q.price AS REAL) <= ${target} * (1 - ${NEARLY_BACK})`];
  return `CASE WHEN ${mark}.target' IS s.target_${side} AND NOT ${mark}.isArmed' THEN ${isBack} ELSE ${isHit} END`;
};

/**
 * Ages in days beyond which a price is stale in any market (`quotes/rules/price-state`): the first without a trade since, the second once
 * another session has followed. Only weekends are known, so the last session ended four days ago at most. Days of markets differ by one.
 */
const MAX_CLOSE_DAYS = 10;
const MAX_SESSION_DAYS = 6;

/**
 * Leaves out a price that is held, one that a split holds, and a stock whose price was typed in later. Takes the first stock of each owner,
 * then the second of each, in random order, so that neither one person's many stocks nor stale prices hold up the others.
 */
const SELECT_CANDIDATES = `
  SELECT row_number() OVER (PARTITION BY s.owner_email ORDER BY random()) AS nth, s.id, s.owner_email AS ownerEmail, s.version, s.symbol, coalesce(i.mic, s.exchange) AS mic, i.symbol AS listed, i.source,
    s.target_low AS targetLow, s.target_high AS targetHigh,
    s.alert_marks AS alertMarks, q.price, q.as_of AS asOf, q.mark,
    s.last_price AS lastPrice, (${LAST_SPLIT}) AS lastSplit
  FROM stocks AS s
  JOIN instruments AS i ON i.id = s.instrument_id AND i.currency = s.currency
  JOIN quotes AS q ON q.instrument_id = i.id
  WHERE s.notify = 1 AND s.auto_price = 1 AND s.deleted_at IS NULL AND s.pending_split IS NULL
    AND q.as_of >= ?1 AND max(substr(q.as_of, 1, 10), q.mark->>'$.session') >= ?2
    AND q.price IS NOT NULL AND NOT q.mark->>'$.isHeld'
    AND (s.quote_mark IS NOT NULL OR q.as_of > coalesce(s.last_price_at, ''))
    AND (${hasNews("low")} OR ${hasNews("high")})
    AND NOT ${IS_SPLIT}
    AND NOT EXISTS (SELECT 1 FROM account_deletions WHERE account_deletions.owner_email = s.owner_email)
  ORDER BY nth, random() LIMIT ${MAX_STOCKS}`;

/** Everybody's stocks that may have something to tell. Amounts are compared as floats here; the caller compares them exactly. */
export const findHitCandidates = async ({ $client: d1 }: Db, nowMs: number): Promise<HitCandidate[]> => {
  const oldest = [new Date(nowMs - MAX_CLOSE_DAYS * DAY_MS).toISOString(), dayOf(nowMs - MAX_SESSION_DAYS * DAY_MS)];
  return (
    await d1
      .prepare(SELECT_CANDIDATES)
      .bind(...oldest)
      .all<HitCandidate>()
  ).results;
};

/** What is stored for one stock: its next marks and, where a target was hit, the alert and the notice. */
export type HitRecord = {
  readonly id: StockId;
  readonly version: number;
  /** As they were read. */
  readonly alertMarks: string | null;
  readonly nextMarks: string;
  readonly lastAlert: LastAlert | null;
  readonly notice: NewNotice | null;
};

/** A stock that was changed since it was read, or is marked by another cron by now, is left for the next minute. */
const IS_UNCHANGED = `stocks.id = next.value->>'id' AND stocks.version = next.value->>'version'
    AND stocks.pending_split IS NULL AND stocks.alert_marks IS next.value->>'alertMarks'`;

const INSERT_HITS = `
  ${INSERT_NOTICE}
  SELECT next.value->>'noticeId', stocks.owner_email, next.value->>'$.notice.dedupKey', next.value->>'$.notice.kind',
    next.value->>'$.notice.tag', next.value->>'$.notice.title', next.value->>'$.notice.url', 'waiting', ?2,
    next.value->>'$.notice.expiresAtMs', 0, 0, '[]', ?2
  FROM json_each(?1) AS next JOIN stocks ON ${IS_UNCHANGED}
  WHERE next.value->>'$.notice.dedupKey' IS NOT NULL
  ON CONFLICT (owner_email, dedup_key) DO NOTHING`;

/** No version, no event, no `updated_at`: nobody has changed the stock (decision 0103). */
const MARK_HITS = `
  UPDATE stocks SET alert_marks = next.value->>'nextMarks', last_alert = coalesce(next.value->>'lastAlert', last_alert)
  FROM json_each(?1) AS next WHERE ${IS_UNCHANGED}`;

/** Stores notices and marks together: neither without the other, even after a crash. */
export const storeHits = async ({ $client: d1 }: Db, records: readonly HitRecord[], nowMs: number): Promise<void> => {
  if (records.length === 0) return;
  const json = JSON.stringify(records.map((record) => ({ ...record, noticeId: crypto.randomUUID() })));
  await d1.batch([d1.prepare(INSERT_HITS).bind(json, nowMs), d1.prepare(MARK_HITS).bind(json)]);
};
