/** `add-stock`: one stock, or up to 100 with an outcome each (api.md §5). */
import * as z from "zod";
import { IdempotencyKey } from "../ids.ts";
import { Stock } from "./stock.ts";
import { StockDraft, StockPatch } from "./stock-values.ts";
import { SYMBOL_REMEDY } from "./symbol-shape.ts";

const ITEMS_REMEDY = "use a list of at most 100 stocks";
const EITHER_REMEDY = "give either one stock's fields or items";

/** What to do with an item whose symbol is already in the list. `update` merges the item into the stock. */
export const OnConflict = z.enum(["error", "skip", "update"], { error: "use error, skip or update" });
export type OnConflict = z.infer<typeof OnConflict>;

/** `conflict` and `invalid` are failures, and wrote nothing. `restored` means from the trash. */
const AddOutcome = z.enum(["created", "restored", "updated", "skipped", "conflict", "invalid"]);

/**
 * Documented as a stock, but accepts anything: each item is parsed with `StockDraft` on its own, so that one bad item
 * does not fail the others. Its JSON Schema is made when somebody asks for it, which is not when a Worker starts.
 */
const Item = z.unknown();
Item._zod.toJSONSchema = () => {
  const { $schema: _, ...draft } = z.toJSONSchema(StockDraft, { io: "input" });
  return draft;
};

const fields = {
  ...StockPatch.shape,
  items: z.array(Item, ITEMS_REMEDY).max(100, ITEMS_REMEDY).optional().describe("Several stocks instead of one"),
  onConflict: OnConflict.optional().describe("With items, for symbols already in the list. Defaults to error"),
  dryRun: z.boolean("use true or false").optional().describe("With items: only report the outcomes, write nothing"),
};

/** One stock, or several. */
export type Addition =
  | { readonly stock: StockDraft }
  | { readonly items: readonly unknown[]; readonly onConflict: OnConflict; readonly dryRun: boolean };

/** The input of the agent's tool. Flat, because a tool's schema must be a single object without alternatives. */
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
  if (items !== undefined && isBare) {
    return { items: items.map(shallowItem), onConflict: onConflict ?? "error", dryRun: dryRun ?? false };
  }
  if (items !== undefined || onConflict !== undefined || dryRun !== undefined) {
    ctx.issues.push({ code: "custom", message: EITHER_REMEDY, path: ["items"], input: items });
    return z.NEVER;
  }
  if (stock.symbol !== undefined) return { stock: { ...stock, symbol: stock.symbol } };
  ctx.issues.push({ code: "custom", message: SYMBOL_REMEDY, path: ["symbol"], input: undefined });
  return z.NEVER;
}

/** Levels of a stock: its fields and its tags, and some to spare, so that a problem with a tag is reported at its place. */
const ITEM_LEVELS = 4;

/** Replaces an item nested deeper than a stock by null, which is no stock either: comparing and storing it would use up the stack. */
function shallowItem(item: unknown): unknown {
  return isDeeper(item, ITEM_LEVELS) ? null : item;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1));
}

/** The outcome of one item. `stock` is set when it is in the list now, `error` when the item failed. */
export const AddResult = z.object({
  /** Index in `items`, from 0. */
  index: z.int().nonnegative(),
  outcome: AddOutcome,
  stock: Stock.optional(),
  error: z.string().optional(),
});
export type AddResult = z.infer<typeof AddResult>;

/** `stock` for one, `results` in the order of `items` for several. */
export const AddStockOutput = z.union([z.object({ stock: Stock }), z.object({ results: z.array(AddResult) })]);
export type AddStockOutput = z.infer<typeof AddStockOutput>;
