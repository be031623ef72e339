/** Puts a stock on the watchlist, or takes it off. */
import { IconStar, IconStarFilled } from "@tabler/icons-preact";
import type { RowProps } from "./row-actions.ts";

/** A toggle. Its name says what pressing it does, with the symbol. */
export const StarButton = ({ stock, isCurrent, actions }: Pick<RowProps, "stock" | "isCurrent" | "actions">) => {
  const Star = stock.watched ? IconStarFilled : IconStar;
  return (
    <button
      type="button"
      class={stock.watched ? "star on" : "star"}
      aria-pressed={stock.watched}
      aria-label={stock.watched ? `Remove ${stock.symbol} from watchlist` : `Watch ${stock.symbol}`}
      tabIndex={isCurrent ? 0 : -1}
      onClick={() => actions.toggleWatched(stock)}
    >
      <Star size={18} stroke={1.75} aria-hidden="true" />
    </button>
  );
};
