/** `get-stock`: one live stock and what happened to it. */
import { AppError } from "../contract/app-error.ts";
import { GetStockInput, GetStockOutput, MAX_EVENTS, type StockEventView } from "../contract/stocks/get-stock.ts";
import { findExchanges, findListings, findStockEvents } from "../db/find-stocks.ts";
import type { StockEventRow, StockRow } from "../db/stock-tables.ts";
import { threadsOfRuns } from "../db/threads.ts";
import { type ActionContext, defineAction } from "./define-action.ts";
import { findOwnStock, stockNotFound, toStock } from "./own-stock.ts";
import { historyOf } from "./prices/stock-history.ts";
import { changedOf } from "./stock-change.ts";

/** Exchanges that a refusal names. */
const MAX_NAMED = 100;

export const getStock = defineAction<GetStockInput, GetStockOutput>({
  name: "get-stock",
  kind: "read",
  refusesByData: true,
  description:
    "Reads one stock of the person's list, with its notes and its latest changes, by id or by symbol. A symbol that is " +
    "listed on several exchanges needs the exchange as well. history adds at most 60 closes of its listing. " +
    "Say how old a price is: lastPriceAt and priceState tell.",
  input: GetStockInput,
  output: GetStockOutput,
  run: async (ctx, input) => {
    const row = await find(ctx, input);
    const events = await findStockEvents(ctx.db, ctx.caller.ownerEmail, row.id, { limit: MAX_EVENTS });
    const { history } = input;
    return {
      ...{ stock: toStock(row, ctx.nowMs()), events: await toEventViews(ctx, events) },
      ...(history === undefined ? {} : { history: await historyOf(ctx, row, history) }),
    };
  },
  title: (input) => ("symbol" in input ? `Read ${input.symbol}` : "Read a stock"),
});

/** @throws {AppError} 404, or 409 that lists the exchanges to choose from. */
const find = async (ctx: ActionContext, input: GetStockInput): Promise<StockRow> => {
  if ("id" in input) {
    const row = await findOwnStock(ctx, input.id);
    if (row === undefined || row.deletedAt !== null) throw stockNotFound();
    return row;
  }
  const { symbol, exchange } = input;
  const [row, other] = await findListings(ctx.db, ctx.caller.ownerEmail, symbol, exchange);
  if (row === undefined) throw stockNotFound();
  if (other === undefined) return row;
  const found = await findExchanges(ctx.db, ctx.caller.ownerEmail, symbol, MAX_NAMED + 1);
  const names = found.map((one, place) => (place === MAX_NAMED ? "others" : (one.exchange ?? "null (none)")));
  throw new AppError(409, `${symbol} is on several exchanges: ${names.join(", ")}. Give exchange as well, or id.`);
};

/** Events as answers show them, each with the chat in which the agent made the change. */
const toEventViews = async (ctx: ActionContext, events: readonly StockEventRow[]): Promise<StockEventView[]> => {
  const runIds = events.flatMap(({ runId }) => runId ?? []);
  const threads = runIds.length === 0 ? undefined : await threadsOfRuns(ctx.db, ctx.caller.ownerEmail, runIds);
  return events.map(({ id, action, via, runId, undoesRunId, version, before, after, at }) => {
    const threadId = runId === null ? undefined : threads?.get(runId);
    return {
      ...{ id, action, via, runId, version, ...changedOf({ before, after }), at },
      ...(threadId === undefined ? {} : { threadId }),
      ...(undoesRunId === null ? {} : { undoesRunId }),
    };
  });
};
