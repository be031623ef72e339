/** `delete-stock`: moves stocks to the trash, which keeps them for 30 days (api.md §5). */
import * as z from "zod";
import { IdempotencyKey, StockId } from "../ids.ts";

const IDS_REMEDY = "use a list of at most 100 ids";

/** The input of the agent's tool. */
export const DeleteStockAgentInput = z
  .strictObject({
    id: z.string("use the stock's id").optional(),
    ids: z.array(z.string(IDS_REMEDY), IDS_REMEDY).max(100, IDS_REMEDY).optional().describe("Several instead of one"),
  })
  .refine(({ id, ids }) => (id === undefined) !== (ids === undefined), {
    path: ["id"],
    error: "give either id or ids",
  });

/** One stock by `id`, which must exist, or several by `ids`, of which unknown ones are ignored. */
export const DeleteStockInput = DeleteStockAgentInput.extend({ idempotencyKey: IdempotencyKey.optional() });
export type DeleteStockInput = z.infer<typeof DeleteStockInput>;

/** The ids that are in the trash now, including those that already were. */
export const DeleteStockOutput = z.object({ deleted: z.array(StockId) });
export type DeleteStockOutput = z.infer<typeof DeleteStockOutput>;
