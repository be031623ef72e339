/** The box that selects a row for a change of several at once. */
import type { RowProps } from "./row-actions.ts";

/** The label around it is what a finger can hit. */
export const SelectBox = ({
  stock,
  isSelected,
  isCurrent,
  actions,
}: Pick<RowProps, "stock" | "isSelected" | "isCurrent" | "actions">) => (
  <label class="select-box">
    <input
      type="checkbox"
      checked={isSelected}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={`Select ${stock.symbol}`}
      onChange={() => actions.toggleSelected(stock)}
    />
  </label>
);
