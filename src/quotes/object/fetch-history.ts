/** Fetches the closes of a listing for its chart, adjusted for splits whatever the source gives. */
import { DAY_MS, dayOf } from "../../contract/day.ts";
import type { Split } from "../../contract/prices/price-fields.ts";
import type { Db } from "../../db/db.ts";
import { findCloses, saveCloses } from "../../db/prices/closes.ts";
import { adjustForSplits, type Close, shiftOf } from "../rules/split-of-closes.ts";
import type { InstrumentRef } from "../sources/quote-source.ts";
import { type Asker, askSource } from "./ask-source.ts";

/** Years of closes that are kept. */
const YEARS = 10;

/** Fetches what is missing of some listings, in their order; `takeTurn` says of each whether it may be asked for now. */
export const catchUpCloses = async (
  asker: Asker,
  db: Db,
  listings: readonly Charted[],
  takeTurn: (instrumentId: string) => boolean,
): Promise<void> => {
  let left = asker.key.source.historiesAtOnce;
  for (const listing of listings) {
    if (left === 0) return;
    if (!takeTurn(listing.id)) continue;
    left -= 1;
    await fetchHistory(asker, db, listing);
  }
};

/** A listing whose closes are wanted, and the day of the newest that is stored. */
type Charted = InstrumentRef & { readonly id: string; readonly lastClose: string | null };

/**
 * Fetches and stores closes: of all years, or of those since the newest that is stored. When a split came in between, the stored ones are
 * in old shares, and all are fetched again.
 */
export const fetchHistory = async (asker: Asker, db: Db, listing: Charted): Promise<void> => {
  const { id, lastClose } = listing;
  if (lastClose !== null) {
    const year = lastClose.slice(0, 4);
    const newer = await fetchSince(asker, listing, `${year}-01-01`);
    if (newer === undefined) return;
    const stored = (await findCloses(db, [id], Number(year))).get(id) ?? [];
    // A split that was found in between has dropped them, those of earlier years too.
    const isGone = stored.length === 0;
    const isSplit =
      isGone || newer.splits.some(({ day }) => day > lastClose) || shiftOf(stored, newer.closes) !== undefined;
    if (!isSplit) return await saveCloses(db, id, newer.closes);
  }
  const all = await fetchSince(asker, listing, `${new Date(asker.nowMs()).getUTCFullYear() - YEARS}-01-01`);
  if (all !== undefined) await saveCloses(db, id, all.closes);
};

/** Adjusted closes from a day on, and the splits that the source lists. Undefined when it gave none. */
const fetchSince = async (
  asker: Asker,
  listing: InstrumentRef,
  from: string,
): Promise<{ readonly closes: readonly Close[]; readonly splits: readonly Split[] } | undefined> => {
  const { source, access } = asker.key;
  const asked = await askSource(
    asker,
    source.historyRequest(listing, from, access),
    1,
    (answer) => source.readHistory(listing, answer),
    (read) => ("refused" in read && read.refused !== "unknown" && read.refused !== "plan" ? read.refused : null),
  );
  if ("refused" in asked || "refused" in asked.read) return undefined;
  const closes = inOrder(asked.read.bars, dayOf(asker.nowMs() + DAY_MS));
  const splits = source.adjustment === "splits" ? [] : await splitsSince(asker, listing, from);
  // Closes that may be in old shares are no history.
  return splits && { closes: adjustForSplits(closes, splits), splits };
};

/** One close a day, oldest first, none of a day that is nowhere yet: newer ones would never be asked for. */
const inOrder = (bars: readonly { readonly day: string; readonly close: string }[], last: string): Close[] =>
  [...new Map(bars.map(({ day, close }) => [day, close]))]
    .filter(([day]) => day <= last)
    .sort(([one], [other]) => (one < other ? -1 : 1));

const splitsSince = async (asker: Asker, listing: InstrumentRef, from: string): Promise<Split[] | undefined> => {
  const { source, access } = asker.key;
  const { splits } = source;
  if (splits === undefined) return undefined;
  const asked = await askSource(
    asker,
    splits.request(listing, from, access),
    1,
    (answer) => splits.read(answer),
    () => null,
  );
  return "refused" in asked ? undefined : asked.read;
};
