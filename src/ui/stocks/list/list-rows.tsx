/** The rows that are on the page, and gaps as high as those that are not. */
import type { RefObject } from "preact";
import type { Stock } from "../../../contract/stock.ts";
import { useStore } from "../../state/use-store.ts";
import { flashes } from "../flashes.ts";
import { selection } from "../selection.ts";
import { ROW_HEIGHTS } from "./list-columns.ts";
import type { RowActions } from "./row-actions.ts";
import { cutStretches } from "./row-window.ts";
import { StockCard } from "./stock-card.tsx";
import { StockRow } from "./stock-row.tsx";
import { useMinute } from "./use-minute.ts";
import { useRowWindow } from "./use-row-window.ts";

type ListRowsProps = {
  readonly kind: "card" | "row";
  readonly body: RefObject<HTMLElement>;
  readonly stocks: readonly Stock[];
  readonly words: readonly string[];
  readonly current: number;
  readonly isSelecting: boolean;
  readonly actions: RowActions;
};

/** Goes straight into `body`. */
export const ListRows = ({ kind, body, stocks, words, current, isSelecting, actions }: ListRowsProps) => {
  const height = ROW_HEIGHTS[kind];
  const range = useRowWindow(body, height, stocks.length, words);
  const selected = useStore(selection);
  const flashing = useStore(flashes);
  const now = useMinute();
  const Row = kind === "card" ? StockCard : StockRow;
  return (
    <>
      {cutStretches(range, stocks.length, current).map(({ kind: stretch, start, end }) => {
        const stock = stocks[start];
        return stretch === "row" && stock ? (
          <Row
            key={stock.id}
            stock={stock}
            words={words}
            index={start}
            count={stocks.length}
            isCurrent={start === current}
            isSelected={selected.includes(stock.id)}
            isSelecting={isSelecting}
            isFlashing={flashing.has(stock.id)}
            now={now}
            actions={actions}
          />
        ) : (
          <Gap
            key={start === 0 ? "start" : end === stocks.length ? "end" : "gap"}
            kind={kind}
            height={(end - start) * height}
          />
        );
      })}
    </>
  );
};

const Gap = ({ kind, height }: { readonly kind: "card" | "row"; readonly height: number }) =>
  kind === "card" ? (
    <li class="gap" aria-hidden="true" style={{ height: `${height}px` }} />
  ) : (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    <tr class="gap" aria-hidden="true">
      <td style={{ height: `${height}px` }} />
    </tr>
  );
