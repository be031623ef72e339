/** Fetches the closes of a listing for its chart, adjusted for splits whatever the source gives. */
import { DAY_MS, dayOf } from "../../contract/day.ts";
import { hoursMarket } from "../../contract/prices/hours-market.ts";
import type { Split } from "../../contract/prices/price-fields.ts";
import type { Db } from "../../db/db.ts";
import { findCloses, replaceCloses, saveCloses } from "../../db/prices/closes.ts";
import { findPrice, saveSplits } from "../../db/prices/quotes.ts";
import { inOneUnit } from "../rules/hundredths.ts";
import { dayAt, marketMoment } from "../rules/market-clock.ts";
import { adjustForSplits, type Close, shiftOf, splitOfShift } from "../rules/split-of-closes.ts";
import type { InstrumentRef, RefusalReason, Refused } from "../sources/quote-source.ts";
import { type Asker, askSource, isOfAll } from "./ask-source.ts";
import { listedSplits } from "./look-for-splits.ts";

/** Years of closes that are kept. */
const YEARS = 10;

/** How long after the close of its day a source may list a split, in ms. */
const LISTED_WITHIN_MS = 7 * DAY_MS;

/** Fetches what is missing of some listings, in their order. */
export const catchUpCloses = async (asker: Asker, db: Db, listings: readonly Charted[]): Promise<void> => {
  const { closesPace, key } = asker;
  const due = listings.filter(({ id }) => closesPace.isDue(id)).slice(0, key.source.historiesAtOnce);
  for (const listing of due) if (await fetchHistory(asker, db, listing)) closesPace.take(listing.id);
};

/** A listing whose closes are wanted, and the day of the newest that is stored. */
type Charted = InstrumentRef & {
  readonly id: string;
  readonly source: string;
  readonly lastClose: string | null;
};

/**
 * Fetches and stores closes: those since the newest that is stored, or of all years where earlier ones are missing. When a split came in
 * between, the stored ones are in old shares: all are fetched again, and those that the source has no longer are dropped. False when the
 * source gave no answer.
 */
const fetchHistory = async (asker: Asker, db: Db, listing: Charted): Promise<boolean> => {
  const { id, lastClose } = listing;
  const known = await findPrice(db, id);
  const tenYears = `${new Date(asker.nowMs()).getUTCFullYear() - YEARS}-01-01`;
  const save = (splits: readonly Split[]) =>
    saveSplits(
      db,
      splits.map((split) => ({ ...split, instrumentId: id })),
    );
  if (lastClose !== null) {
    // From the beginning of the year before: at the start of a year the closes since would be too few to compare, and those after a
    // split are all in new shares.
    const lastYear = lastClose.slice(0, 4);
    const before = `${Number(lastYear) - 1}-01-01`;
    const stored = (await findCloses(db, [id], Number(lastYear) - 2)).get(id) ?? [];
    // Where nobody looked for long, earlier closes were dropped. A listing that never had any costs no more to be asked for them.
    const [oldest = before] = stored[0] ?? [];
    const from = oldest < before ? before : tenYears;
    const newer = await fetchSince(asker, listing, known?.price, from);
    if (newer === undefined) return false;
    // If a split was found in between, all stored closes were dropped, those of earlier years too.
    const isGone = stored.length === 0;
    const shift = shiftOf(stored, newer.closes, listing.currency);
    // A quote asks for a split only before its price is believed, so a split that is listed later is found here, whatever the price is.
    const listedAfter = dayOf(Date.parse(lastClose) - LISTED_WITHIN_MS);
    const listed = newer.splits.filter(({ day }) => day > listedAfter);
    const dayAtMs = (ms: number) => dayAt(hoursMarket(listing), ms);
    const shifted =
      shift &&
      known &&
      splitOfShift(shift, stored, newer.closes, known.price, dayAtMs(Date.parse(known.asOf)), dayAtMs(asker.nowMs()));
    const splits = listed.length > 0 || !shifted ? listed : [shifted];
    const isNew = await save(splits);
    if (!isGone && !isNew && shift === undefined && newer.splits.every(({ day }) => day <= lastClose)) {
      // Years are replaced as a whole, and a source may have less of them by now than is stored: EODHD's free key has one year.
      const [first = ""] = newer.closes[0] ?? [];
      const ofYears = [...stored.filter(([day]) => day < first), ...newer.closes];
      const changed = ofYears.filter(([day]) => day >= lastYear || (day < before && day >= from));
      await saveCloses(db, id, inOneUnit(changed, known?.price, listing.currency));
      return true;
    }
  }
  const all = await fetchSince(asker, listing, known?.price, tenYears);
  if (all === undefined) return false;
  // A stock may have counted its shares before it was linked to this listing. Saved before the closes, which end the first fetch.
  if (lastClose === null) await save(all.splits);
  await replaceCloses(db, id, all.closes);
  return true;
};

/** Adjusted closes from a day on, in the unit of the price, and the splits that the source lists. Undefined without an answer. */
const fetchSince = async (
  asker: Asker,
  listing: Charted,
  price: string | undefined,
  from: string,
): Promise<{ readonly closes: readonly Close[]; readonly splits: readonly Split[] } | undefined> => {
  const { source, access } = asker.key;
  const asked = await askSource(
    asker,
    source.historyRequest(listing, from, access),
    1,
    (answer) => source.readHistory(listing, answer),
    (read) => ("refused" in read && isOfAll(read.refused) ? read.refused : null),
  );
  if ("refused" in asked) return undefined;
  if ("refused" in asked.read) return withoutAny(asked.read.refused);
  const { today, settledTradingDay } = marketMoment(hoursMarket(listing), asker.nowMs());
  const closes = inOrder(asked.read.bars, settledTradingDay);
  const listed = await splitsSince(asker, listing, from);
  // Closes that may be in old shares are no history.
  if ("refused" in listed) return withoutAny(listed.refused);
  // A source may list splits to come, which are in no price yet.
  const splits = listed.filter(({ day }) => day <= today);
  return { closes: inOneUnit(adjustForSplits(closes, splits), price, listing.currency), splits };
};

/** That the source has no closes of this listing, or none that make sense, is an answer; a refusal that is about the key is not. */
const withoutAny = (reason: RefusalReason) => (isOfAll(reason) ? undefined : ({ closes: [], splits: [] } as const));

/**
 * One close a day, oldest first, up to the last session whose close sources have: a bar of today may be of a session that still goes on.
 * Closes of days to come are dropped, because otherwise newer ones would never be asked for.
 */
const inOrder = (bars: readonly { readonly day: string; readonly close: string }[], last: string): Close[] =>
  [...new Map(bars.map(({ day, close }) => [day, close]))]
    .filter(([day]) => day <= last)
    .sort(([one], [other]) => (one < other ? -1 : 1));

const splitsSince = async (asker: Asker, listing: InstrumentRef, from: string): Promise<readonly Split[] | Refused> => {
  const { adjustment, splits } = asker.key.source;
  if (adjustment === "splits") return [];
  return splits === undefined ? { refused: "bad" } : await listedSplits(asker, splits, listing, from);
};
