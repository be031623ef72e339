/** Some rows that come onto the page, and go from it, together. */
import type { Stock } from "../../../contract/stock.ts";
import { pure } from "./pure.ts";
import type { RowActions } from "./row-actions.ts";
import { StockCard } from "./stock-card.tsx";
import { StockRow } from "./stock-row.tsx";

type RowBlockProps = {
  readonly kind: "card" | "row";
  /** Rows `start` up to, but without, `end` of all `stocks`. */
  readonly start: number;
  readonly end: number;
  readonly stocks: readonly Stock[];
  readonly words: readonly string[];
  /** The row that Tab stops at; -1 when it is in another block. */
  readonly current: number;
  readonly selected: readonly string[];
  readonly isSelecting: boolean;
  readonly flashing: ReadonlySet<string>;
  readonly now: Date;
  readonly actions: RowActions;
};

/** No element of its own: the rows are children of the list. */
export const RowBlock = pure(({ kind, start, end, stocks, current, selected, flashing, ...shared }: RowBlockProps) => {
  const Row = kind === "card" ? StockCard : StockRow;
  return stocks
    .slice(start, end)
    .map((stock, offset) => (
      <Row
        key={stock.id}
        stock={stock}
        index={start + offset}
        count={stocks.length}
        isCurrent={start + offset === current}
        isSelected={selected.includes(stock.id)}
        isFlashing={flashing.has(stock.id)}
        {...shared}
      />
    ));
});
