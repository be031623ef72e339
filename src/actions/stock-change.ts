/** Changes of stocks, prepared in memory, and the mutation that commits them together. */
import type { StockEventAction } from "../contract/stocks/get-stock.ts";
import { StockValues } from "../contract/stocks/stock-values.ts";
import type { StockMutation } from "../db/commit-stocks.ts";
import type { StockEventRow, StockRow } from "../db/stock-tables.ts";
import type { WriteMoment } from "./write-row.ts";

/** A stock before and after one change; `before` is absent for a new one. */
export type StockChange = {
  readonly action: StockEventAction;
  readonly before: StockRow | undefined;
  readonly after: StockRow;
};

/**
 * The fields that an event reports: those that a person sets, what links a stock to its price, and `deletedAt`, which tells of the trash.
 */
type RecordedField = keyof StockValues | "autoPrice" | "instrument" | "pendingSplit" | "notify" | "deletedAt";
const RECORDED_FIELDS: readonly RecordedField[] = [
  ...StockValues.keyof().options,
  ...(["autoPrice", "instrument", "pendingSplit", "notify", "deletedAt"] as const),
];

/** Names of the fields that differ; empty for a change that changes nothing. */
export const changedFields = (before: StockRow, after: StockRow): RecordedField[] =>
  RECORDED_FIELDS.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));

/** The mutation for some changes, in their order. Several of them may be of the same stock, each starting from the one before. */
export const toMutation = (
  moment: WriteMoment,
  changes: readonly StockChange[],
  answer: StockMutation["answer"],
): StockMutation => {
  const firsts = new Map([...changes].reverse().map((change) => [change.after.id, change]));
  const lasts = new Map(changes.map(({ after }) => [after.id, after]));
  return {
    ownerEmail: moment.ownerEmail,
    mutationId: moment.mutationId,
    nowMs: moment.nowMs,
    inserts: [...lasts.values()].filter(({ id }) => firsts.get(id)?.before === undefined),
    updates: [...lasts.values()].flatMap((row) => {
      const replaced = firsts.get(row.id)?.before;
      return replaced === undefined ? [] : [{ row, fromVersion: replaced.version }];
    }),
    events: changes.map((change) => eventOf(moment, change)),
    addsLive: changes.some(({ action }) => action === "add" || action === "restore"),
    // Deleting is never refused, but restoring a stock to delete it again may be, and so may a write that changes nothing: it stores an
    // answer. An undo asks before it begins (`undo/run-undo`).
    isDayLimited:
      moment.undoesRunId === undefined && (changes.length === 0 || changes.some(({ action }) => action !== "delete")),
    answer,
  };
};

/** Recorded together: an undo puts a price back with its own time and source, though newer prices were copied over it since. */
const PRICE_FIELDS = ["lastPrice", "lastPriceAt", "lastPriceSource"] as const;

/**
 * If one of these changes, the source may then change the price without an event. After a change of one of the last three, a listing may
 * also be found without one.
 */
const PRICED_BY: ReadonlySet<string> = new Set([
  ...["lastPrice", "autoPrice", "instrument", "pendingSplit"],
  ...["symbol", "exchange", "currency"],
]);

const recordedFields = (before: StockRow, after: StockRow): readonly RecordedField[] => {
  const changed = changedFields(before, after);
  return changed.some((field) => PRICED_BY.has(field)) ? [...new Set([...changed, ...PRICE_FIELDS])] : changed;
};

const eventOf = (moment: WriteMoment, { action, before, after }: StockChange): StockEventRow => {
  const fields = before === undefined ? StockValues.keyof().options : recordedFields(before, after);
  return {
    id: moment.newId(),
    ownerEmail: moment.ownerEmail,
    stockId: after.id,
    version: after.version,
    action,
    via: moment.via,
    runId: moment.runId,
    undoesRunId: moment.undoesRunId ?? null,
    before: before === undefined ? null : pickFields(before, fields),
    after: pickFields(after, fields),
    at: moment.at,
  };
};

const pickFields = (values: Readonly<Record<string, unknown>>, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(fields.map((field) => [field, values[field]]));

/** The changed fields alone: an event also keeps some that stayed the same, for an undo. */
export const changedOf = ({
  before,
  after,
}: Pick<StockEventRow, "before" | "after">): Pick<StockEventRow, "before" | "after"> => {
  if (before === null) return { before, after };
  const fields = Object.keys(after).filter((field) => JSON.stringify(after[field]) !== JSON.stringify(before[field]));
  return { before: pickFields(before, fields), after: pickFields(after, fields) };
};
