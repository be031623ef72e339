/** Opens the menu of a row. The menu itself is one for all rows: see `RowMenu`. */
import { createStore } from "../../state/store.ts";
import type { RowProps } from "./row-actions.ts";
import { DOTS, rowIcon } from "./row-icon.tsx";

/** The id of the menu. */
export const ROW_MENU_ID = "row-menu";

/** The row whose menu was opened last: its stock and its button. */
export const menuRow = createStore<{ readonly id: string; readonly button: HTMLElement } | undefined>(undefined);

/** Stands at the end of a row. */
export const RowMenuButton = ({ stock: { id, symbol }, isCurrent }: Pick<RowProps, "stock" | "isCurrent">) => (
  <button
    type="button"
    class="more"
    aria-label={`More for ${symbol}`}
    aria-haspopup="true"
    aria-expanded="false"
    popovertarget={ROW_MENU_ID}
    tabIndex={isCurrent ? 0 : -1}
    // Comes before the menu opens, which is what a click does after its listeners.
    onClick={({ currentTarget }) => menuRow.set({ id, button: currentTarget })}
  >
    {rowIcon(DOTS)}
  </button>
);
