/** `delete-stock`: into the trash, where stocks are kept for 30 days (CONTRACT §5). */
import * as z from "zod";
import { IdempotencyKey } from "./idempotency-key.ts";
import { StockId } from "./ids.ts";

const IDS_REMEDY = "use a list of at most 100 ids";

/** What the agent's tool takes. */
export const DeleteStockAgentInput = z
  .strictObject({
    id: z.string("use the stock's id").optional(),
    ids: z.array(z.string(IDS_REMEDY), IDS_REMEDY).max(100, IDS_REMEDY).optional().describe("Several instead of one"),
  })
  .refine(({ id, ids }) => (id === undefined) !== (ids === undefined), {
    path: ["id"],
    error: "give either id or ids",
  });

/** One by `id`, which must be known; or several by `ids`, of which unknown ones are left out. */
export const DeleteStockInput = DeleteStockAgentInput.extend({ idempotencyKey: IdempotencyKey.optional() });
export type DeleteStockInput = z.infer<typeof DeleteStockInput>;

/** The ids that are in the trash now, those that were there before included. */
export const DeleteStockOutput = z.object({ deleted: z.array(StockId) });
export type DeleteStockOutput = z.infer<typeof DeleteStockOutput>;
