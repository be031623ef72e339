/** The list itself: a table, or cards where there is no room for one. Only one of them is on the page. */
import { useRef } from "preact/hooks";
import type { Stock } from "../../../contract/stock.ts";
import { useStore } from "../../state/use-store.ts";
import { selection } from "../selection.ts";
import { ListRows } from "./list-rows.tsx";
import { LIST_SORTS, type ListSort } from "./list-sorts.ts";
import { RowMenu } from "./row-menu.tsx";
import { TableHead } from "./table-head.tsx";
import { useListKeys } from "./use-list-keys.ts";
import { useRowActions } from "./use-row-actions.ts";
import { useRowFocus } from "./use-row-focus.ts";

type StockListProps = {
  readonly stocks: readonly Stock[];
  readonly words: readonly string[];
  readonly isNarrow: boolean;
  readonly isSelecting: boolean;
  readonly sort: ListSort;
  readonly onSort: (sort: ListSort) => void;
};

/** Sorted and narrowed already. */
export const StockList = ({ stocks, words, isNarrow, isSelecting, sort, onSort }: StockListProps) => {
  const list = useRef<HTMLDivElement>(null);
  const cards = useRef<HTMLUListElement>(null);
  const rows = useRef<HTMLTableSectionElement>(null);
  const actions = useRowActions();
  const focus = useRowFocus(list, stocks);
  const onKeyDown = useListKeys(focus, actions);
  const selectedCount = useStore(selection).length;
  const isAllSelected = selectedCount > 0 && selectedCount === stocks.length;
  const shared = { stocks, words, current: focus.current, isSelecting, actions };
  const sorted = `sorted by ${LIST_SORTS[sort.field][0].toLowerCase()}, ${sort.order === "asc" ? "ascending" : "descending"}`;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears the arrows of the links and buttons inside.
    <div ref={list} class="stock-list" onKeyDown={onKeyDown} onFocusIn={focus.onFocusIn} onClick={openRow}>
      {isNarrow ? (
        // biome-ignore lint/a11y/noRedundantRoles: Safari takes the role away with the bullets.
        <ul ref={cards} role="list" aria-label={`Stocks, ${sorted}`}>
          <ListRows kind="card" body={cards} {...shared} />
        </ul>
      ) : (
        <table aria-rowcount={stocks.length + 1}>
          <caption class="vh">Stocks, {sorted}</caption>
          <TableHead
            sort={sort}
            onSort={onSort}
            isAllSelected={isAllSelected}
            onSelectAll={() => selection.set(isAllSelected ? [] : stocks.map(({ id }) => id))}
          />
          <tbody ref={rows}>
            <ListRows kind="row" body={rows} {...shared} />
          </tbody>
        </table>
      )}
      <RowMenu stocks={stocks} actions={actions} />
    </div>
  );
};

/** A click beside the controls of a row is a click on its link, or on its box while rows are being selected. */
const openRow = ({ target }: MouseEvent): void => {
  if (!(target instanceof Element) || target.closest("a, button, input, label, .menu, thead")) return;
  // Whoever marks text to copy it does not want to open anything.
  if (getSelection()?.type === "Range") return;
  const row = target.closest("[data-id]");
  const control = row?.querySelector<HTMLElement>(".stock-card .select-box input, .open");
  control?.click();
};
