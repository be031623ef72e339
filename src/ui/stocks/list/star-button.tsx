/** Puts a stock on the watchlist, or takes it off. */
import type { RowProps } from "./row-actions.ts";
import { rowIcon, STAR } from "./row-icon.tsx";

/** A toggle. Its name says what pressing it does, with the symbol. */
export const StarButton = ({ stock, isCurrent, actions }: Pick<RowProps, "stock" | "isCurrent" | "actions">) => (
  <button
    type="button"
    class={stock.watched ? "star on" : "star"}
    aria-pressed={stock.watched}
    aria-label={stock.watched ? `Remove ${stock.symbol} from watchlist` : `Watch ${stock.symbol}`}
    tabIndex={isCurrent ? 0 : -1}
    onClick={() => actions.toggleWatched(stock)}
  >
    {rowIcon(STAR)}
  </button>
);
