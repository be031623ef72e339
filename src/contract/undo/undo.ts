/** Undoing what one run changed (api.md §10): what can be undone, what was, and what cannot be. */
import * as z from "zod";
import { StockId } from "../ids.ts";
import { groupDigits } from "../plain-text.ts";

/** Most items that one undo can be narrowed to: more than any run changes. */
const MAX_ITEMS = 10_000;

const ITEMS_REMEDY = `use the ids and paths of a preview, at most ${groupDigits(MAX_ITEMS)}`;

const Names = z.array(z.string(ITEMS_REMEDY), ITEMS_REMEDY).max(MAX_ITEMS, ITEMS_REMEDY).default([]);

/** The body of an undo. `only` holds what a person was shown: nothing else is undone, even if it could be by now. */
export const UndoRequest = z
  // Strict: a misspelt dryRun must not undo anything.
  .strictObject({
    dryRun: z.boolean("use true or false").default(false),
    only: z.strictObject({ stocks: Names, files: Names }, ITEMS_REMEDY).optional(),
  })
  .default({ dryRun: false });
export type UndoRequest = z.infer<typeof UndoRequest>;

/**
 * `restore`: it is still what the run made it, and can be undone. `done`: it is as it was before the run. `conflict`: it has been
 * changed since, or something is in the way; it is left alone. `gone`: there is nothing left to undo it with.
 */
const UndoState = z.enum(["restore", "done", "conflict", "gone"]);

/** What undoing does: `remove` what the run added, `bring_back` what it deleted, `change_back` what it changed. */
export const UndoEffect = z.enum(["remove", "bring_back", "change_back"]);
export type UndoEffect = z.infer<typeof UndoEffect>;

/**
 * Why an item is a conflict or gone. `changed`: by somebody else, during the run or after it. `taken`: another stock has its symbol.
 * `full`: the list of stocks is full. `elsewhere`: the workspace is another directory now. `unreachable`: the workspace cannot be reached
 * now. `purged`: the trash was emptied. `too_large`: the file was too large to keep. `not_kept`: newer files took its place, or nobody saw
 * it in time.
 */
export const UndoReason = z.enum([
  ...(["changed", "taken", "full", "elsewhere", "unreachable"] as const),
  ...(["purged", "too_large", "not_kept"] as const),
]);
export type UndoReason = z.infer<typeof UndoReason>;

/** What both kinds of items have. `reason` is null unless the state is `conflict` or `gone`. */
const ITEM = { state: UndoState, effect: UndoEffect, reason: UndoReason.nullable() };

/** `symbol`: as it is now; empty when it is no longer known. */
export const UndoStock = z.object({ id: StockId, symbol: z.string(), ...ITEM });
export type UndoStock = z.infer<typeof UndoStock>;

/** `path`: relative to the workspace. */
export const UndoFile = z.object({ path: z.string(), ...ITEM });
export type UndoFile = z.infer<typeof UndoFile>;

/** The answer: each item as it is then. Commands and schedules are only counted, because they are not undone. */
export const UndoAnswer = z.object({
  stocks: z.array(UndoStock),
  files: z.array(UndoFile),
  commands: z.int(),
  schedules: z.int(),
});
export type UndoAnswer = z.infer<typeof UndoAnswer>;
