/** Builds the rows that a write stores: values, the figures computed from them, and the columns for search and sorting. */
import { foldText } from "../contract/fold-text.ts";
import { type OwnerEmail, type RunId, StockId } from "../contract/ids.ts";
import type { UpdatedVia } from "../contract/stocks/stock.ts";
import { type StockValues, tagKey } from "../contract/stocks/stock-values.ts";
import type { StockRow } from "../db/stock-tables.ts";
import type { ActionContext } from "./define-action.ts";
import type { Stamp } from "./merge-values.ts";
import { deriveFigures } from "./stock-figures.ts";

export type WriteMoment = Stamp & {
  readonly ownerEmail: OwnerEmail;
  readonly via: UpdatedVia;
  readonly runId: RunId | null;
  /** The run whose changes this write undoes. */
  readonly undoesRunId?: RunId;
  readonly nowMs: number;
  /** On every row of the try, so that its events can tell whether this try wrote the row. */
  readonly mutationId: string;
  readonly newId: () => string;
};

/** Begins a try of a write. After a lost race there is another one, with its own time and ids. */
export const startTry = ({
  caller,
  via,
  runId,
  nowMs,
  newId,
}: Pick<ActionContext, "caller" | "via" | "runId" | "nowMs" | "newId">): WriteMoment => {
  const now = nowMs();
  return {
    ownerEmail: caller.ownerEmail,
    via,
    runId: runId ?? null,
    nowMs: now,
    at: new Date(now).toISOString(),
    priceSource: via === "import" ? "import" : "manual",
    mutationId: newId(),
    newId,
  };
};

/** The row of a new stock. */
export const newStock = (moment: WriteMoment, values: StockValues): StockRow => ({
  id: StockId.parse(moment.newId()),
  ownerEmail: moment.ownerEmail,
  ...columnsOf(values),
  version: 1,
  updatedVia: moment.via,
  mutationId: moment.mutationId,
  createdAt: moment.at,
  updatedAt: moment.at,
  deletedAt: null,
  ...FRESH_LINK,
});

const NO_QUOTE = { dayChange: null, dayChangePct: null, quoteMark: null } as const;

const UNLINKED = { ...NO_QUOTE, instrumentId: null, instrument: null, pendingSplit: null, splitDay: null } as const;

/** The price columns of a new stock: nothing yet, and it takes prices from a source. */
export const FRESH_LINK = {
  ...UNLINKED,
  ...{ autoPrice: true, notify: false, lastAlert: null, alertMarks: null },
} as const satisfies PriceLink;

/** The `quoteMark` of a stock that takes the next quote, however old that is. Not JSON, as other marks are. */
export const WAITS_FOR_QUOTE = "waits";

/** The columns of prices and notices that a write may set. */
export type PriceLink = Partial<
  Pick<
    StockRow,
    | ("autoPrice" | "instrumentId" | "instrument" | "quoteMark" | "pendingSplit" | "splitDay")
    | ("dayChange" | "dayChangePct" | "notify" | "lastAlert" | "alertMarks")
  >
>;

/**
 * After a change of listing the next quote counts, however old it is; a former price stays until then. After a price was typed in,
 * quotes leave the stock alone.
 */
const linkAfter = (before: StockRow, values: StockValues) => {
  const { symbol, exchange, currency, lastPrice, lastPriceAt, quoteMark } = before;
  const isPriced = values.lastPrice !== lastPrice || values.lastPriceAt !== lastPriceAt;
  if (values.symbol !== symbol || values.exchange !== exchange || values.currency !== currency) {
    const next = quoteMark === null || isPriced ? null : WAITS_FOR_QUOTE;
    // The day since which its shares have been counted stays true: the new listing asks again about a split that waits.
    return { ...UNLINKED, quoteMark: next, splitDay: values.symbol === symbol ? before.splitDay : null };
  }
  if (!isPriced) return {};
  // Clearing a price is not typing one in: the next quote may replace it.
  return { ...NO_QUOTE, ...(before.instrumentId === null || values.lastPrice === null ? {} : { autoPrice: false }) };
};

/** Whether there is a target that a price could hit. */
export const hasTarget = ({ targetLow, targetHigh }: Pick<StockValues, "targetLow" | "targetHigh">): boolean =>
  targetLow !== null || targetHigh !== null;

/** A stock's next version, with new values or unchanged ones. `deletedAt` says whether it is then in the trash. */
export const nextVersion = (
  moment: WriteMoment,
  before: StockRow,
  {
    values,
    link,
    deletedAt,
  }: { readonly values?: StockValues; readonly link?: PriceLink; readonly deletedAt: string | null },
): StockRow => ({
  ...before,
  ...(values && { ...columnsOf(values), ...linkAfter(before, values) }),
  ...link,
  // Without a target there is nothing to tell of.
  notify: (link?.notify ?? before.notify) && hasTarget(values ?? before),
  version: before.version + 1,
  updatedVia: moment.via,
  mutationId: moment.mutationId,
  updatedAt: moment.at,
  deletedAt,
});

const columnsOf = (values: StockValues) => ({
  ...values,
  ...deriveFigures(values),
  searchText: foldText(searchableText(values).join("\n")),
  nameKey: foldText(values.name),
  tagKeys: values.tags.map(tagKey),
});

/** One line for each field, so that no search term can span two fields. */
const searchableText = ({ symbol, name, isin, exchange, sector, tags }: StockValues): string[] =>
  [symbol, name, isin, exchange, sector, ...tags].filter((text) => text !== null);
