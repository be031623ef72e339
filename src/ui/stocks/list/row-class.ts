/** The looks of a row that do not come from its stock. */
import type { RowProps } from "./row-actions.ts";

/** The classes of a row, whose kind is `base`. */
export const rowClass = (
  base: string,
  { isSelected, isFlashing }: Pick<RowProps, "isSelected" | "isFlashing">,
): string => [base, isSelected && "selected", isFlashing && "flash"].filter(Boolean).join(" ");
