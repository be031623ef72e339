/** What can be done with a row, by mouse, finger or key. */
import type { Stock } from "../../../contract/stock.ts";

/** Always the same object while the list is there, so that rows need not render again. */
export type RowActions = {
  readonly open: (stock: Stock) => void;
  readonly edit: (stock: Stock) => void;
  readonly toggleWatched: (stock: Stock) => void;
  readonly toggleSelected: (stock: Stock) => void;
  readonly remove: (stock: Stock) => void;
  /** Puts a question about the stock into the agent's composer. */
  readonly askAbout: (stock: Stock) => void;
};

/** What a row shows; the same for a card and a row of the table. `words` are those of the search, folded. */
export type RowProps = {
  readonly stock: Stock;
  readonly words: readonly string[];
  /** From 0, in the whole list. */
  readonly index: number;
  /** Rows of the whole list. */
  readonly count: number;
  /** The one row that the Tab key stops at. */
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  /** Whether each row has a box to select it by. */
  readonly isSelecting: boolean;
  readonly isFlashing: boolean;
  /** To the minute, for the age of prices. */
  readonly now: Date;
  readonly actions: RowActions;
};
