/** `update-stock`: a merge patch on one stock, or its way back out of the trash (CONTRACT §5). */
import * as z from "zod";
import { IdempotencyKey } from "./idempotency-key.ts";
import { Stock } from "./stock.ts";
import { StockPatch } from "./stock-draft.ts";

const VERSION_REMEDY = "use the version you read";
const NOTHING_REMEDY = "give the fields to change, or restore: true";

/** What the agent's tool takes. */
export const UpdateStockAgentInput = z
  .strictObject({
    id: z.string("use the stock's id"),
    version: z
      .int(VERSION_REMEDY)
      .positive(VERSION_REMEDY)
      .optional()
      .describe("The version the change is based on; refused when the stock has changed since"),
    set: StockPatch.optional().describe("Fields to change: absent ones stay, null clears"),
    restore: z.boolean("use true or false").optional().describe("true takes the stock out of the trash"),
  })
  .refine(({ set, restore }) => set !== undefined || restore === true, { path: ["set"], error: NOTHING_REMEDY });

export const UpdateStockInput = UpdateStockAgentInput.extend({ idempotencyKey: IdempotencyKey.optional() });
export type UpdateStockInput = z.infer<typeof UpdateStockInput>;

export const UpdateStockOutput = z.object({ stock: Stock });
export type UpdateStockOutput = z.infer<typeof UpdateStockOutput>;
