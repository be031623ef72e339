/** The list itself: a table, or cards where a table does not fit. */
import { IconArrowDown, IconArrowUp } from "@tabler/icons-preact";
import { useRef } from "preact/hooks";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { STOCK_SORTS } from "../../../contract/stocks/stock-sorts.ts";
import { DialogBoundary } from "../../parts/error-screen.tsx";
import { closeMenu, MenuList } from "../../parts/menu.tsx";
import { selection } from "../../state/selection.ts";
import { useStore } from "../../state/store.ts";
import { RowMenuEntries } from "./lazy-list-extras.ts";
import { ListRows, useRowActions } from "./row/list-rows.tsx";
import { menuRow, ROW_MENU_ID } from "./row/row-buttons.tsx";
import type { RowActions } from "./row/row-props.ts";
import { useListKeys, useRowFocus } from "./row/use-list-keys.ts";
import { type ListSort, nextSort, SORT_COLUMNS } from "./shown/list-sorts.ts";
import type { ListRoom } from "./shown/room-of.ts";

/** One menu for all rows, shown for the row that opened it: a menu in each row would make rows slow to draw. */
const RowMenu = ({ stocks, actions }: { readonly stocks: readonly Stock[]; readonly actions: RowActions }) => {
  const row = useStore(menuRow);
  const stock = row && stocks.find(({ id }) => id === row.id);
  return (
    <MenuList id={ROW_MENU_ID} opener={() => menuRow.get()?.button}>
      <DialogBoundary onClose={closeMenu}>{stock && <RowMenuEntries stock={stock} actions={actions} />}</DialogBoundary>
    </MenuList>
  );
};

type TableHeadProps = {
  readonly sort: ListSort;
  readonly onSort: (sort: ListSort) => void;
  readonly isAllSelected: boolean;
  readonly onSelectAll: () => void;
};

/** `aria-sort` is on the active column only. */
const TableHead = ({ sort, onSort, isAllSelected, onSelectAll }: TableHeadProps) => (
  <thead>
    <tr aria-rowindex={1}>
      <td class="slim">
        <label class="select-box">
          <input type="checkbox" aria-label="Select all" checked={isAllSelected} onChange={onSelectAll} />
        </label>
      </td>
      <td class="slim" />
      {SORT_COLUMNS.map(({ field, label, kind }) => {
        const isActive = field === sort.field;
        const Arrow = sort.order === "asc" ? IconArrowUp : IconArrowDown;
        return (
          <th
            key={field}
            scope="col"
            class={kind}
            {...(isActive ? { "aria-sort": sort.order === "asc" ? "ascending" : "descending" } : {})}
          >
            <button
              type="button"
              title={`Sort by ${STOCK_SORTS[field][0].toLowerCase()}`}
              onClick={() => onSort(nextSort(field, sort))}
            >
              {label}
              {isActive && <Arrow size={14} stroke={2} aria-hidden="true" />}
            </button>
          </th>
        );
      })}
      <td class="slim" />
    </tr>
  </thead>
);

type StockListProps = {
  readonly stocks: readonly Stock[];
  readonly words: readonly string[];
  readonly room: ListRoom;
  readonly isSelecting: boolean;
  readonly sort: ListSort;
  readonly onSort: (sort: ListSort) => void;
};

/** `stocks` are sorted and filtered already. */
export const StockList = ({ stocks, words, room, isSelecting, sort, onSort }: StockListProps) => {
  const list = useRef<HTMLDivElement>(null);
  const cards = useRef<HTMLUListElement>(null);
  const rows = useRef<HTMLTableSectionElement>(null);
  const actions = useRowActions();
  const focus = useRowFocus(list, stocks);
  const onKeyDown = useListKeys(focus, actions);
  const selectedCount = useStore(selection).length;
  const isAllSelected = selectedCount > 0 && selectedCount === stocks.length;
  const shared = { stocks, words, room, current: focus.current, isSelecting, actions };
  const sorted = `sorted by ${STOCK_SORTS[sort.field][0].toLowerCase()}, ${sort.order === "asc" ? "ascending" : "descending"}`;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the arrow keys of the links and buttons inside.
    <div ref={list} class="stock-list" onKeyDown={onKeyDown} onFocusIn={focus.onFocusIn} onClick={openRow}>
      {!room.isTable ? (
        // biome-ignore lint/a11y/noRedundantRoles: Safari drops the role when the list has no bullets.
        <ul ref={cards} role="list" aria-label={`Stocks, ${sorted}`}>
          <ListRows body={cards} {...shared} />
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
            <ListRows body={rows} {...shared} />
          </tbody>
        </table>
      )}
      <RowMenu stocks={stocks} actions={actions} />
    </div>
  );
};

/** Treats a click beside a row's controls as a click on its link, or on its box while rows are being selected. */
const openRow = ({ target }: MouseEvent): void => {
  if (!(target instanceof Element) || target.closest("a, button, input, label, .menu, thead")) return;
  // Selecting text to copy it must not open anything.
  if (getSelection()?.type === "Range") return;
  const row = target.closest("[data-id]");
  const control = row?.querySelector<HTMLElement>(".stock-card .select-box input, .open");
  control?.click();
};
