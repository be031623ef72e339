/** `add-stock`: one stock, or up to 100 with an outcome each (CONTRACT §5). */
import * as z from "zod";
import { IdempotencyKey } from "./idempotency-key.ts";
import { Stock } from "./stock.ts";
import { StockDraft, StockPatch } from "./stock-draft.ts";
import { SYMBOL_REMEDY } from "./symbol-shape.ts";

const ITEMS_REMEDY = "use a list of at most 100 stocks";
const EITHER_REMEDY = "give either one stock's fields or items";

/** What happens to an item whose symbol is in the list already. `update` merges the item into the stock. */
export const OnConflict = z.enum(["error", "skip", "update"], { error: "use error, skip or update" });
export type OnConflict = z.infer<typeof OnConflict>;

/** `created`, `restored` (from the trash), `updated` and `skipped` went well; `conflict` and `invalid` wrote nothing. */
const AddOutcome = z.enum(["created", "restored", "updated", "skipped", "conflict", "invalid"]);

/**
 * A stock as it looks to a reader of the schema. Anything passes here, because one bad item must not refuse the others:
 * each is parsed with `StockDraft` on its own.
 */
const { $schema: _, ...draftJsonSchema } = z.toJSONSchema(StockDraft, { io: "input" });
const Item = z.unknown().meta({ ...draftJsonSchema });

const fields = {
  ...StockPatch.shape,
  items: z.array(Item, ITEMS_REMEDY).max(100, ITEMS_REMEDY).optional().describe("Several stocks instead of one"),
  onConflict: OnConflict.optional().describe("With items, for symbols already in the list. Defaults to error"),
  dryRun: z.boolean("use true or false").optional().describe("With items: only report the outcomes, write nothing"),
};

/** What is to be added, told apart. */
export type Addition =
  | { readonly stock: StockDraft }
  | { readonly items: readonly unknown[]; readonly onConflict: OnConflict; readonly dryRun: boolean };

/** What the agent's tool takes. Flat, because a tool's schema must be one object without alternatives. */
export const AddStockAgentInput = z.strictObject(fields).transform(toAddition);

export const AddStockInput = z
  .strictObject({ ...fields, idempotencyKey: IdempotencyKey.optional() })
  .transform(({ idempotencyKey, ...input }, ctx) => ({
    ...toAddition(input, ctx),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  }));
export type AddStockInput = z.infer<typeof AddStockInput>;

function toAddition(
  { items, onConflict, dryRun, ...stock }: z.infer<z.ZodObject<typeof fields>>,
  ctx: z.core.$RefinementCtx,
): Addition {
  const isBare = Object.values(stock).every((value) => value === undefined);
  if (items !== undefined && isBare) return { items, onConflict: onConflict ?? "error", dryRun: dryRun ?? false };
  if (items !== undefined || onConflict !== undefined || dryRun !== undefined) {
    ctx.issues.push({ code: "custom", message: EITHER_REMEDY, path: ["items"], input: items });
    return z.NEVER;
  }
  if (stock.symbol !== undefined) return { stock: { ...stock, symbol: stock.symbol } };
  ctx.issues.push({ code: "custom", message: SYMBOL_REMEDY, path: ["symbol"], input: undefined });
  return z.NEVER;
}

/** What became of one item. `stock` is there when it is in the list now, `error` when it is not as asked. */
export const AddResult = z.object({
  /** Place in `items`, from 0. */
  index: z.int().nonnegative(),
  outcome: AddOutcome,
  stock: Stock.optional(),
  error: z.string().optional(),
});
export type AddResult = z.infer<typeof AddResult>;

/** `stock` for one, `results` in the order of `items` for several. */
export const AddStockOutput = z.union([z.object({ stock: Stock }), z.object({ results: z.array(AddResult) })]);
export type AddStockOutput = z.infer<typeof AddStockOutput>;
