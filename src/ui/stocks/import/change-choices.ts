/** A person's choices over the guesses, kept in step with each other. */
import type { ImportChoices } from "./import-choices.ts";
import type { ImportField } from "./import-field.ts";

/** The choices with `change`. Columns are other columns once the table is split anew, so their mapping goes. */
export const changeChoices = (choices: ImportChoices, change: Omit<ImportChoices, "mapping">): ImportChoices => {
  const isSplitAnew = "shape" in change || "delimiter" in change || "hasHeader" in change;
  const { mapping, ...rest } = choices;
  return { ...rest, ...(mapping === undefined || isSplitAnew ? {} : { mapping }), ...change };
};

/** The choices with column `index` as `field`, and no other chosen column as that. Null leaves the column out. */
export const mapColumn = (choices: ImportChoices, index: number, field: ImportField | null): ImportChoices => {
  const others = Object.entries(choices.mapping ?? {}).map(([place, held]) => [place, held === field ? null : held]);
  return { ...choices, mapping: { ...Object.fromEntries(others), [index]: field } };
};
