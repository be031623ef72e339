/** `update-stock`: applies a merge patch to one stock, answers a split, or restores it from the trash. */
import { AppError, errorCode } from "../contract/app-error.ts";
import { MAX_LIVE_STOCKS } from "../contract/stocks/stock.ts";
import { isStockField, pickFields } from "../contract/stocks/stock-field-keys.ts";
import { fieldSpec } from "../contract/stocks/stock-fields.ts";
import type { StockValues } from "../contract/stocks/stock-values.ts";
import { UpdateStockAgentInput, UpdateStockInput, UpdateStockOutput } from "../contract/stocks/update-stock.ts";
import { updateTitle } from "../contract/stocks/write-title.ts";
import { findKnownStocks, findStockEvents } from "../db/find-stocks.ts";
import type { StockRow } from "../db/stock-tables.ts";
import { type ActionContext, defineAction } from "./define-action.ts";
import { findProblems, mergeValues } from "./merge-values.ts";
import { alreadyListed, findOwnStock, LIST_IS_FULL, requireBasis, stockNotFound, toStock } from "./own-stock.ts";
import { answerSplit } from "./prices/answer-split.ts";
import { changedFields, changedOf } from "./stock-change.ts";
import { type WritePlan, writeOnce } from "./write-once.ts";
import { hasTarget, nextVersion, type PriceLink, startTry, WAITS_FOR_QUOTE, type WriteMoment } from "./write-row.ts";

export const updateStock = defineAction<UpdateStockInput, UpdateStockOutput>({
  name: "update-stock",
  kind: "write",
  refusesByData: true,
  description:
    "Changes fields of one stock of the person's list: set holds only the fields to change, null clears one. Take id and " +
    "version from list-stocks, get-stock or view-screen; with a version the change is refused if somebody else changed " +
    "the stock since. A lastPrice typed in switches autoPrice off; autoPrice: true brings the source's prices back. notify: true " +
    "tells the person when a target is hit. A stock with a pendingSplit waits for an answer: tell the person and propose split with " +
    "apply, or dismiss if it does not apply to them; never scale its amounts yourself. undo takes back such an answer, if it was the " +
    "stock's last change. Setting quantity to null also needs " +
    "avgCost: null. restore: true restores a deleted stock.",
  input: UpdateStockInput,
  agentInput: UpdateStockAgentInput,
  output: UpdateStockOutput,
  run: async (ctx, { idempotencyKey, ...input }) => {
    const request = { action: "update-stock", input, idempotencyKey, output: UpdateStockOutput };
    const answer = await writeOnce(ctx, request, (moment) => plan(ctx, moment, input));
    if (answer.stock.notify && mayMoveTargets(input)) ctx.prices.watchTargets();
    return answer;
  },
  title: (input) => updateTitle(input),
  before: async (ctx, input) => {
    const row = await findOwnStock(ctx, input.id);
    if (row === undefined) return undefined;
    const basis = basisOf(row, input);
    const shown = toStock(row, ctx.nowMs());
    if (input.split?.answer !== "undo") return { shown, basis };
    const after = await answerSplit(ctx, startTry(ctx), row, input.split);
    return { shown: { ...shown, former: pickFields(after, changedFields(row, after)) }, basis };
  },
});

const plan = async (
  ctx: ActionContext,
  moment: WriteMoment,
  { id, version, set = {}, split, restore }: UpdateStockInput,
): Promise<WritePlan<UpdateStockOutput>> => {
  const before = await findOwnStock(ctx, id);
  if (before === undefined || (before.deletedAt !== null && restore !== true)) throw stockNotFound();
  if (version !== undefined && version !== before.version) throw await staleVersion(ctx, before, version);
  // The stock may have been linked since it was shown. That sets `splitDay` without any split, so both forms count as unchanged.
  const bases = [before, { ...before, splitDay: null }].map((row) => basisOf(row, { set, split }));
  requireBasis(ctx, bases, before.symbol);
  if (split !== undefined) {
    const after = await answerSplit(ctx, moment, before, split);
    return { changes: [{ action: "update", before, after }], answer: { stock: toStock(after, moment.nowMs) } };
  }
  const { autoPrice, instrument, notify, ...patch } = set;
  const values = mergeValues(before, patch, moment);
  const problems = findProblems(values);
  if (problems !== undefined) throw new AppError(400, problems);
  if (notify === true && !hasTarget(values)) throw new AppError(400, NO_TARGET);
  const { save, ...link } = await linkOf(ctx, before, values, { autoPrice, instrument });
  const after = nextVersion(moment, before, {
    values,
    link: { ...link, ...(notify === undefined ? {} : { notify }) },
    deletedAt: null,
  });
  if (changedFields(before, after).length === 0)
    return { changes: [], answer: { stock: toStock(before, moment.nowMs) } };
  await requireRoom(ctx, before, after);
  const action = before.deletedAt === null ? "update" : "restore";
  return { changes: [{ action, before, after }], answer: { stock: toStock(after, moment.nowMs) }, prepare: save };
};

/** Fields that the source of a stock's price changes without the person. */
const BY_ITSELF: ReadonlySet<string> = new Set([
  "lastPrice",
  "lastPriceAt",
  "lastPriceSource",
  "autoPrice",
  "instrument",
]);

/**
 * What the meaning of a change depends on: which stock it is, and the former values of the fields that it sets. If it sets an amount or a
 * price, it also depends on the splits, because these count shares as they are before or after a split. The answer to a split scales
 * whatever it finds, so it depends on the whole version.
 */
const basisOf = (row: StockRow, { set = {}, split }: Pick<UpdateStockInput, "set" | "split">): string => {
  const fields = Object.entries(row).filter(([field]) => field in set && !BY_ITSELF.has(field));
  const { symbol, exchange, currency, deletedAt, version, pendingSplit, splitDay } = row;
  const countsShares = Object.keys(set).some((field) => isStockField(field) && fieldSpec(field).unit !== undefined);
  return JSON.stringify([
    ...[symbol, exchange, currency, deletedAt === null, split && version, Object.fromEntries(fields)],
    ...(countsShares ? [pendingSplit?.day, splitDay] : []),
  ]);
};

/** Whether a change may be a reason to watch prices of targets: a new target to tell of, or another listing to take the price from. */
const mayMoveTargets = ({ set = {}, restore }: UpdateStockInput): boolean =>
  restore === true ||
  ["notify", "autoPrice", "instrument", "symbol", "exchange", "currency"].some((name) => name in set);

/** What a patch says about prices. @throws {AppError} 409 for a listing that no source can be asked about. */
const linkOf = async (
  { prices }: ActionContext,
  before: StockRow,
  { symbol, currency, name }: StockValues,
  { autoPrice, instrument }: Pick<NonNullable<UpdateStockInput["set"]>, "autoPrice" | "instrument">,
): Promise<PriceLink & { save?: () => Promise<void> }> => {
  // The next price of the source replaces one that was typed in, however new that is.
  const waiting = { quoteMark: WAITS_FOR_QUOTE, pendingSplit: null };
  const chosen = autoPrice === undefined ? {} : { autoPrice, ...(autoPrice && !before.autoPrice ? waiting : {}) };
  if (instrument === undefined) return chosen;
  // With `autoPrice` on, the next look at the list would link it again.
  if (instrument === null)
    return { autoPrice: false, ...chosen, instrument: null, instrumentId: null, pendingSplit: null };
  const link = await prices.link({ ...instrument, currency, name: name === before.symbol ? symbol : name });
  if (link === undefined) throw new AppError(409, NO_SOURCE);
  const { day, ...linked } = link;
  // The quantity still counts shares as they were when the stock was first linked, or when its last split was answered.
  const splitDay = (symbol === before.symbol ? before.splitDay : null) ?? day;
  return { autoPrice: true, ...chosen, ...waiting, ...linked, splitDay };
};

const NO_TARGET = "notify: needs a target. Set targetLow or targetHigh.";

const NO_SOURCE = "No price source knows this listing. Enter a key under Account, or choose another market.";

/** Refuses when another stock has the symbol already, or when a restored stock would exceed the limit. */
const requireRoom = async (ctx: ActionContext, before: StockRow, after: StockRow): Promise<void> => {
  const isRestore = before.deletedAt !== null;
  if (!isRestore && before.symbol === after.symbol && before.exchange === after.exchange) return;
  const known = await findKnownStocks(ctx.db, after.ownerEmail, [after]);
  const isTaken = known.rows.some(
    (row) => row.deletedAt === null && row.exchange === after.exchange && row.id !== after.id,
  );
  if (isTaken) throw new AppError(409, alreadyListed(after.symbol), errorCode("symbol_taken"));
  if (isRestore && known.liveCount >= MAX_LIVE_STOCKS) throw new AppError(409, LIST_IS_FULL);
};

/** Names what changed since the version that the caller read. */
const staleVersion = async ({ db }: ActionContext, stock: StockRow, version: number): Promise<AppError> => {
  const events = await findStockEvents(db, stock.ownerEmail, stock.id, { limit: 100, afterVersion: version });
  const fields = new Set(events.reverse().flatMap((event) => Object.keys(changedOf(event).after)));
  return new AppError(
    409,
    fields.size === 0
      ? `${stock.symbol} is at version ${stock.version}, not ${version}. Read it again.`
      : `${stock.symbol} has changed since version ${version}: ${[...fields].join(", ")}. Read it again.`,
    errorCode("stale_version"),
  );
};
