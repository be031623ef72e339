/** `update-stock`: a merge patch on one stock, or its way back out of the trash. */
import { AppError } from "../contract/app-error.ts";
import { MAX_LIVE_STOCKS } from "../contract/stock.ts";
import { UpdateStockAgentInput, UpdateStockInput, UpdateStockOutput } from "../contract/update-stock.ts";
import { findKnownStocks } from "../db/find-stocks.ts";
import { findStockEvents } from "../db/stock-events.ts";
import type { StockRow } from "../db/stock-tables.ts";
import { findProblems } from "./check-values.ts";
import { type ActionContext, defineAction } from "./define-action.ts";
import { findOwnStock } from "./find-own-stock.ts";
import { mergeValues } from "./merge-values.ts";
import { alreadyListed, LIST_IS_FULL, stockNotFound } from "./refusals.ts";
import { changedFields } from "./stock-change.ts";
import { toStock } from "./stock-record.ts";
import type { WriteMoment } from "./write-moment.ts";
import { type WritePlan, writeOnce } from "./write-once.ts";
import { nextVersion } from "./write-row.ts";

export const updateStock = defineAction<UpdateStockInput, UpdateStockOutput>({
  name: "update-stock",
  kind: "write",
  description:
    "Changes fields of one stock of the person's list: set holds only the fields to change, null clears one. Take id and " +
    "version from list-stocks, get-stock or view-screen; with a version the change is refused if somebody else changed " +
    "the stock since. Setting quantity to null also needs avgCost: null. restore: true takes a deleted stock back.",
  input: UpdateStockInput,
  agentInput: UpdateStockAgentInput,
  output: UpdateStockOutput,
  run: async (ctx, { idempotencyKey, ...input }) =>
    writeOnce(ctx, { action: "update-stock", input, idempotencyKey, output: UpdateStockOutput }, (moment) =>
      plan(ctx, moment, input),
    ),
  title: ({ set = {}, restore }) =>
    restore === true ? "Restore a stock" : `Change ${Object.keys(set).join(", ") || "nothing"}`,
  before: async (ctx, { id }) => {
    const row = await findOwnStock(ctx, id);
    return row && toStock(row);
  },
});

const plan = async (
  ctx: ActionContext,
  moment: WriteMoment,
  { id, version, set = {}, restore }: UpdateStockInput,
): Promise<WritePlan<UpdateStockOutput>> => {
  const before = await findOwnStock(ctx, id);
  if (before === undefined || (before.deletedAt !== null && restore !== true)) throw stockNotFound();
  if (version !== undefined && version !== before.version) throw await staleVersion(ctx, before, version);
  const values = mergeValues(before, set, moment);
  const problems = findProblems(values);
  if (problems !== undefined) throw new AppError(400, problems);
  const after = nextVersion(moment, before, { values, deletedAt: null });
  if (changedFields(before, after).length === 0) return { changes: [], answer: { stock: toStock(before) } };
  await requireRoom(ctx, before, after);
  const action = before.deletedAt === null ? "update" : "restore";
  return { changes: [{ action, before, after }], answer: { stock: toStock(after) } };
};

/** Refuses when the stock's symbol is taken by another one, or when a restored one would be one too many. */
const requireRoom = async (ctx: ActionContext, before: StockRow, after: StockRow): Promise<void> => {
  const isRestore = before.deletedAt !== null;
  if (!isRestore && before.symbol === after.symbol && before.exchange === after.exchange) return;
  const known = await findKnownStocks(ctx.db, after.ownerEmail, [after.symbol]);
  const isTaken = known.rows.some(
    (row) => row.deletedAt === null && row.exchange === after.exchange && row.id !== after.id,
  );
  if (isTaken) throw new AppError(409, alreadyListed(after.symbol));
  if (isRestore && known.liveCount >= MAX_LIVE_STOCKS) throw new AppError(409, LIST_IS_FULL);
};

/** Names what changed since the version that the caller had read. */
const staleVersion = async ({ db }: ActionContext, stock: StockRow, version: number): Promise<AppError> => {
  const events = await findStockEvents(db, stock.ownerEmail, stock.id, { limit: 100, afterVersion: version });
  const fields = new Set(events.reverse().flatMap(({ after }) => Object.keys(after)));
  return new AppError(
    409,
    fields.size === 0
      ? `${stock.symbol} is at version ${stock.version}, not ${version}. Read it again.`
      : `${stock.symbol} has changed since version ${version}: ${[...fields].join(", ")}. Read it again.`,
  );
};
