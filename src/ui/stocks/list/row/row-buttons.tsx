/** The controls and badges of a row. */
import type { Stock } from "../../../../contract/stocks/stock.ts";
import { placeUrl, START_PLACE } from "../../../navigation/stocks-place.ts";
import { Badge } from "../../../parts/badge.tsx";
import { createStore } from "../../../state/store.ts";
import { markedText } from "./marked-text.tsx";
import type { RowProps } from "./row-props.ts";

/** Paths of Tabler's `star` and `dots-vertical`, on its grid of 24. */
const STAR = "M12 17.75l-6.17 3.25 1.18-6.87-5-4.87 6.9-1 3.09-6.25 3.09 6.25 6.9 1-5 4.87 1.18 6.87z";

const DOTS = "M12 5v.01M12 12v.01M12 19v.01";

/**
 * An icon as two plain elements. Those of the icon set are several components each, and a list draws dozens at once. Size
 * and stroke are in `list-rows.css`.
 */
const rowIcon = (path: string) => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path d={path} />
  </svg>
);

export const ROW_MENU_ID = "row-menu";

/** The row whose menu was opened last: its stock's id and its button. */
export const menuRow = createStore<{ readonly id: string; readonly button: HTMLElement } | undefined>(undefined);

/** Opens the menu of a row; all rows share one, see `RowMenu`. */
export const RowMenuButton = ({ stock: { id, symbol }, isCurrent }: Pick<RowProps, "stock" | "isCurrent">) => (
  <button
    type="button"
    class="more"
    aria-label={`Actions for ${symbol}`}
    aria-haspopup="true"
    aria-expanded="false"
    popovertarget={ROW_MENU_ID}
    tabIndex={isCurrent ? 0 : -1}
    // Runs before the menu opens: the browser opens it after the listeners of the click.
    onClick={({ currentTarget }) => menuRow.set({ id, button: currentTarget })}
  >
    {rowIcon(DOTS)}
  </button>
);

/** Its name says what pressing it does, and to which stock. `aria-pressed` would contradict it. */
export const StarButton = ({ stock, isCurrent, actions }: Pick<RowProps, "stock" | "isCurrent" | "actions">) => (
  <button
    type="button"
    class={stock.watched ? "star on" : "star"}
    aria-label={stock.watched ? `Remove ${stock.symbol} from watchlist` : `Watch ${stock.symbol}`}
    tabIndex={isCurrent ? 0 : -1}
    onClick={() => actions.toggleWatched(stock)}
  >
    {rowIcon(STAR)}
  </button>
);

/** The label around the box makes it large enough for a finger. */
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

/** A link, so that it can also open in another tab. While cards are selected, a tap on it selects. `useListKeys` finds it by its class. */
export const OpenLink = ({
  stock,
  words,
  isCurrent,
  isSelecting,
  actions,
}: Pick<RowProps, "stock" | "words" | "isCurrent" | "isSelecting" | "actions">) => (
  <a
    class="open"
    href={placeUrl({ ...START_PLACE, dialog: "detail", stockId: stock.id })}
    tabIndex={isCurrent ? 0 : -1}
    onClick={(event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
      // The router would follow the address as it is, and the list behind the dialog would lose tab, search and filters.
      event.preventDefault();
      event.stopPropagation();
      if (isSelecting) actions.toggleSelected(stock);
      else actions.open(stock);
    }}
  >
    {markedText(stock.symbol, words)}
  </a>
);

/** For a stock without a price: the one thing that it lacks. */
export const SetPriceButton = ({ stock, isCurrent, actions }: Pick<RowProps, "stock" | "isCurrent" | "actions">) => (
  <button
    type="button"
    class="link"
    aria-label={`Set price of ${stock.symbol}`}
    tabIndex={isCurrent ? 0 : -1}
    onClick={() => actions.setPrice(stock)}
  >
    Set price
  </button>
);

/** The classes of a row: `base` and its state. */
export const rowClass = (
  base: string,
  { isSelected, isFlashing, isOpen }: Pick<RowProps, "isSelected" | "isFlashing" | "isOpen">,
): string => [base, (isSelected || isOpen) && "selected", isFlashing && "flash"].filter(Boolean).join(" ");

/** CSS hides the badges that do not fit. */
export const StockBadges = ({ stock, words }: { readonly stock: Stock; readonly words: readonly string[] }) => (
  <>
    {stock.exchange !== null && (
      <Badge>
        {/* A badge sets its parts apart, and these are of one word. */}
        <span>{markedText(stock.exchange, words)}</span>
      </Badge>
    )}
    {stock.updatedVia === "agent" && (
      <Badge tone="outline">{stock.version === 1 ? "added by agent" : "changed by agent"}</Badge>
    )}
  </>
);
