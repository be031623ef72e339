/** What a row of the list is given. */
import type { Stock } from "../../../../contract/stocks/stock.ts";
import type { ListRoom } from "../shown/room-of.ts";

/** The same object while the list is mounted, so that rows need not render again. */
export type RowActions = {
  readonly open: (stock: Stock) => void;
  readonly edit: (stock: Stock) => void;
  readonly toggleWatched: (stock: Stock) => void;
  readonly toggleSelected: (stock: Stock) => void;
  readonly remove: (stock: Stock) => void;
  /** Opens it with the focus in the field for its price. */
  readonly setPrice: (stock: Stock) => void;
  /** Puts a question about the stock into the agent's composer. */
  readonly askAbout: (stock: Stock) => void;
};

/** The props of a row, whether card or table row. `words` are the folded words of the search. */
export type RowProps = {
  readonly stock: Stock;
  readonly words: readonly string[];
  /** From 0, in the whole list. */
  readonly index: number;
  /** Rows of the whole list. */
  readonly count: number;
  /** The one row that Tab reaches. */
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  /** Whether each row has a box to select it by. */
  readonly isSelecting: boolean;
  readonly isFlashing: boolean;
  /** Whether the stock is open, beside the list or over it. */
  readonly isOpen: boolean;
  readonly room: ListRoom;
  /** The path of its last month's closes, once it is known. */
  readonly spark: string | undefined;
  /** To the minute, for the age of prices. */
  readonly now: Date;
  readonly actions: RowActions;
};
