/** `get-stock`: one live stock and its history, by id or by symbol (api.md §5). */
import * as z from "zod";
import { RunId, ThreadId } from "../ids.ts";
import { HistoryRange, PriceHistory } from "../prices/find-symbol.ts";
import { ExchangeCode, StockSymbol } from "./instrument.ts";
import { Stock, UpdatedVia } from "./stock.ts";

const ONE_KEY_REMEDY = "give either id or symbol";

/** By id or by symbol. Without `exchange` the symbol must be unique in the list; null means no exchange. */
export const GetStockInput = z
  .strictObject({
    id: z.string("use the stock's id").optional(),
    symbol: StockSymbol.optional(),
    exchange: ExchangeCode.nullable().optional().describe("Needed when a symbol is listed on several exchanges"),
    history: HistoryRange.optional().describe("Adds the closes of this range, adjusted for splits"),
  })
  .transform(({ id, symbol, exchange, history }, ctx) => {
    const more = history === undefined ? {} : { history };
    if (symbol !== undefined && id === undefined) return { symbol, exchange, ...more };
    if (id !== undefined && symbol === undefined && exchange === undefined) return { id, ...more };
    ctx.issues.push({ code: "custom", message: ONE_KEY_REMEDY, path: ["id"], input: id });
    return z.NEVER;
  });
export type GetStockInput = z.infer<typeof GetStockInput>;

/** `restore` takes a stock out of the trash. */
export const StockEventAction = z.enum(["add", "update", "delete", "restore"]);
export type StockEventAction = z.infer<typeof StockEventAction>;

/** One change: who made it, and the values of the changed fields, before and after. */
export const StockEventView = z.object({
  id: z.uuid(),
  action: StockEventAction,
  via: UpdatedVia,
  /** The run in which the agent made the change. */
  runId: RunId.nullable(),
  /** A chat that shows that run; absent once there is none. */
  threadId: ThreadId.optional(),
  /** The run whose change a person took back with this one; absent in every other event. */
  undoesRunId: RunId.optional(),
  /** The stock's version after the change. */
  version: z.int().positive(),
  /** Null for a new stock. */
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()),
  at: z.iso.datetime(),
});
export type StockEventView = z.infer<typeof StockEventView>;

/** Events in an answer: nobody reads more than that at once. */
export const MAX_EVENTS = 50;

/** `events` are the newest `MAX_EVENTS`, newest first. */
export const GetStockOutput = z.object({
  stock: Stock,
  events: z.array(StockEventView),
  /** Only where asked for; null when nothing is known. */
  history: PriceHistory.nullable().optional(),
});
export type GetStockOutput = z.infer<typeof GetStockOutput>;
