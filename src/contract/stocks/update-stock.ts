/** `update-stock`: applies a merge patch to one stock, answers a split, or restores it from the trash (api.md §5). */
import * as z from "zod";
import { IdempotencyKey } from "../ids.ts";
import { ExchangeCode, StockSymbol } from "./instrument.ts";
import { Stock } from "./stock.ts";
import { StockPatch } from "./stock-values.ts";

const VERSION_REMEDY = "use the version you read";
const NOTHING_REMEDY = "give fields to change, or use split or restore: true";
const ONE_REMEDY = "give split alone, without set or restore";

/** What a patch can say beyond a stock's own fields: where its price comes from, and whether its person gets notices. */
const UpdatePatch = StockPatch.extend({
  autoPrice: z.boolean("use true or false").optional().describe("Whether prices of the source replace the last price"),
  notify: z.boolean("use true or false").optional().describe("Whether the person is told when a target is hit"),
  instrument: z
    .strictObject({ symbol: StockSymbol, exchange: ExchangeCode.nullable() })
    .nullable()
    .optional()
    .describe("The listing that prices come from, as find-symbol gives it; null unlinks it"),
});

/**
 * An answer to a split that waits: `apply` scales quantity, cost, targets and price; `dismiss` leaves all as it is; `undo` makes the split
 * wait again.
 */
const SplitAnswer = z.strictObject({
  day: z.iso.date("use the day of pendingSplit"),
  answer: z.enum(["apply", "dismiss", "undo"], { error: "use apply, dismiss or undo" }),
});

/** The input of the agent's tool. */
export const UpdateStockAgentInput = z
  .strictObject({
    id: z.string("use the stock's id"),
    version: z
      .int(VERSION_REMEDY)
      .positive(VERSION_REMEDY)
      .optional()
      .describe("The version the change is based on; refused when the stock has changed since"),
    set: UpdatePatch.optional().describe("Fields to change: absent ones stay, null clears"),
    split: SplitAnswer.optional().describe("Answers the stock's pendingSplit, or takes its last answer back"),
    restore: z.boolean("use true or false").optional().describe("true takes the stock out of the trash"),
  })
  .refine(({ set, split, restore }) => set !== undefined || split !== undefined || restore === true, {
    ...{ path: ["set"], error: NOTHING_REMEDY },
  })
  .refine(({ set, split, restore }) => split === undefined || (set === undefined && restore !== true), {
    ...{ path: ["split"], error: ONE_REMEDY },
  });

export const UpdateStockInput = UpdateStockAgentInput.extend({ idempotencyKey: IdempotencyKey.optional() });
export type UpdateStockInput = z.infer<typeof UpdateStockInput>;

export const UpdateStockOutput = z.object({ stock: Stock });
export type UpdateStockOutput = z.infer<typeof UpdateStockOutput>;
