/** `get-stock`: one live stock and its history, by id or by symbol (CONTRACT §5). */
import * as z from "zod";
import { RunId } from "./ids.ts";
import { Stock, UpdatedVia } from "./stock.ts";
import { ExchangeCode, StockSymbol } from "./symbol.ts";

const ONE_KEY_REMEDY = "give either id or symbol";

/** A stock by its id, or by symbol. Without `exchange` the symbol must be on one exchange only; null means on none. */
export const GetStockInput = z
  .strictObject({
    id: z.string("use the stock's id").optional(),
    symbol: StockSymbol.optional(),
    exchange: ExchangeCode.nullable().optional().describe("Tells apart a symbol that is on several exchanges"),
  })
  .transform(({ id, symbol, exchange }, ctx) => {
    if (symbol !== undefined && id === undefined) return { symbol, exchange };
    if (id !== undefined && symbol === undefined && exchange === undefined) return { id };
    ctx.issues.push({ code: "custom", message: ONE_KEY_REMEDY, path: ["id"], input: id });
    return z.NEVER;
  });
export type GetStockInput = z.infer<typeof GetStockInput>;

/** What was done to a stock. `restore` took it out of the trash. */
export const StockEventAction = z.enum(["add", "update", "delete", "restore"]);
export type StockEventAction = z.infer<typeof StockEventAction>;

/** One change: who made it, and the fields it changed, by name. */
export const StockEventView = z.object({
  id: z.uuid(),
  action: StockEventAction,
  via: UpdatedVia,
  /** The run in which the agent did it. */
  runId: RunId.nullable(),
  /** The stock's version after the change. */
  version: z.int().positive(),
  /** Null for a stock that did not exist before. */
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()),
  at: z.iso.datetime(),
});
export type StockEventView = z.infer<typeof StockEventView>;

/** `events` are the newest 50, newest first. */
export const GetStockOutput = z.object({ stock: Stock, events: z.array(StockEventView) });
export type GetStockOutput = z.infer<typeof GetStockOutput>;
