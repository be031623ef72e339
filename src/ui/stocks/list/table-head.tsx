/** The head of the table: each column's name sorts by it. */
import { IconArrowDown, IconArrowUp } from "@tabler/icons-preact";
import { SORT_COLUMNS } from "./list-columns.ts";
import { LIST_SORTS, type ListSort, nextSort } from "./list-sorts.ts";

type TableHeadProps = {
  readonly sort: ListSort;
  readonly onSort: (sort: ListSort) => void;
  readonly isAllSelected: boolean;
  readonly onSelectAll: () => void;
};

/** `aria-sort` is on the active column alone. */
export const TableHead = ({ sort, onSort, isAllSelected, onSelectAll }: TableHeadProps) => (
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
              title={`Sort by ${LIST_SORTS[field][0].toLowerCase()}`}
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
