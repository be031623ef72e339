/** Two changes of one stock side by side: what a person typed, and what was saved by somebody else meanwhile. */
import type { FormReading } from "./read-form.ts";
import { STOCK_FIELDS, type StockField } from "./stock-field.ts";

/** A field that would come out differently. `by` tells who has changed it since the form was opened. */
export type Difference = { readonly field: StockField; readonly by: "me" | "them" | "both" };

/** Fields in which `mine` and `theirs` differ, in the order of the form. */
export const compareVersions = (base: FormReading, mine: FormReading, theirs: FormReading): readonly Difference[] =>
  STOCK_FIELDS.filter((field) => differs(mine[field], theirs[field])).map((field) => {
    const isMine = differs(base[field], mine[field]);
    const isTheirs = differs(base[field], theirs[field]);
    return { field, by: isMine && isTheirs ? "both" : isMine ? "me" : "them" };
  });

/** `theirs` with the fields of `mine` that were chosen. */
export const mergeVersions = (
  mine: FormReading,
  theirs: FormReading,
  chosen: ReadonlySet<StockField>,
): FormReading => ({
  ...theirs,
  ...Object.fromEntries(STOCK_FIELDS.filter((field) => chosen.has(field)).map((field) => [field, mine[field]])),
});

const differs = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other);
