/** What a stock was before a run, or before one change: read from the events that are stored of it. */
import * as z from "zod";
import { dayBefore } from "../contract/day.ts";
import { hoursMarket } from "../contract/prices/hours-market.ts";
import { Instrument, Split } from "../contract/prices/price-fields.ts";
import { StockValues } from "../contract/stocks/stock-values.ts";
import type { UndoEffect } from "../contract/undo/undo.ts";
import type { StockEventRow, StockRow } from "../db/stock-tables.ts";
import { dayAt } from "../quotes/rules/market-clock.ts";
import { changedFields } from "./stock-change.ts";
import { nextVersion, type PriceLink, WAITS_FOR_QUOTE, type WriteMoment } from "./write-row.ts";

/** The events of one run with one stock, by version; at least one. */
export type RunEvents = readonly [StockEventRow, ...StockEventRow[]];

/** Former values of fields, as events hold them. */
type Former = Readonly<Record<string, unknown>>;

/** The fields that the run changed, with the value each had before its first change. */
export const formerFields = (events: RunEvents): Former =>
  Object.fromEntries(events.toReversed().flatMap(({ before }) => Object.entries(before ?? {})));

/** What undoing these events does; undefined when the run deleted what it had added itself. A stock that it restored had other values. */
export const effectOf = (events: RunEvents): UndoEffect | undefined => {
  const [{ action: first }] = events;
  const isDeleted = events.at(-1)?.action === "delete";
  if (first === "add" && isDeleted) return undefined;
  if (first === "add" || first === "restore") return "remove";
  return isDeleted ? "bring_back" : "change_back";
};

/** Where prices came from, and whether to tell of hits. A price that is put back gives way to the source's if it did so before. */
const FormerLink = z.object({
  autoPrice: z.boolean().optional(),
  instrument: Instrument.nullable().optional(),
  pendingSplit: Split.nullable().optional(),
  notify: z.boolean().optional(),
  deletedAt: z.string().nullable().optional(),
  /** The first split whose answer the run took back. */
  reopened: Split.optional(),
});

/** The listing that a stock took its price from before the run; undefined when the run did not change that. */
export const formerInstrument = (events: RunEvents): Instrument | null | undefined =>
  FormerLink.parse(formerFields(events)).instrument;

/**
 * The stock as it was before the run, as its next version; undefined when it is like that already. `instrumentId` is the id of the
 * `formerInstrument`.
 */
export const formerStock = (
  moment: WriteMoment,
  row: StockRow,
  events: RunEvents,
  instrumentId: string | undefined,
): StockRow | undefined => {
  const former = formerFields(events);
  const values = StockValues.parse({ ...row, ...former });
  const isRemoved = effectOf(events) === "remove";
  const reopened = events.find(({ after }) => after.pendingSplit)?.after.pendingSplit;
  const link = formerLink(
    row,
    values,
    { ...FormerLink.parse({ ...former, reopened }), runAt: events[0].at },
    instrumentId,
  );
  const after = nextVersion(moment, row, { values, link, deletedAt: isRemoved ? (row.deletedAt ?? moment.at) : null });
  return changedFields(row, after).length === 0 ? undefined : after;
};

const formerLink = (
  row: StockRow,
  values: StockValues,
  former: z.infer<typeof FormerLink> & { readonly runAt: string },
  instrumentId: string | undefined,
): PriceLink => {
  const { autoPrice = row.autoPrice, notify = row.notify, instrument, pendingSplit, reopened } = former;
  const isPriced = values.lastPrice !== row.lastPrice || values.lastPriceAt !== row.lastPriceAt;
  return {
    ...{ autoPrice, notify },
    ...(isPriced && autoPrice ? { quoteMark: WAITS_FOR_QUOTE } : {}),
    // A price from before the stock had any listing is replaced only by a later price.
    ...(instrument === null ? { quoteMark: null } : {}),
    ...(instrument === undefined
      ? {}
      : { instrument: instrumentId === undefined ? null : instrument, instrumentId: instrumentId ?? null }),
    ...(instrument ? { splitDay: splitDayOf(row, instrument, former.deletedAt ?? former.runAt) } : {}),
    ...(pendingSplit === undefined ? {} : { pendingSplit }),
    // The split waits again, so the quantity contains only the splits before its day.
    ...(pendingSplit ? { splitDay: dayBefore(pendingSplit.day) } : {}),
    // The split had been answered before the run.
    ...(pendingSplit === null && reopened ? { splitDay: reopened.day } : {}),
  };
};

/**
 * The day that splits count from, which events do not tell. While no split waited, the quantity included all splits until `wholeAt`. A day
 * that a link has set since is later.
 */
const splitDayOf = ({ splitDay }: StockRow, { exchange: mic, ...listing }: Instrument, wholeAt: string): string => {
  const day = dayAt(hoursMarket({ ...listing, mic }), Date.parse(wholeAt));
  return splitDay !== null && splitDay < day ? splitDay : day;
};
