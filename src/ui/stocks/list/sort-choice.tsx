/** How cards are sorted: they have no head to press. */
import { IconArrowDown, IconArrowUp } from "@tabler/icons-preact";
import type { SortField } from "../../../contract/stock-filter.ts";
import { Button } from "../../parts/button.tsx";
import { Select } from "../../parts/select.tsx";
import { LIST_SORTS, type ListSort, otherOrder } from "./list-sorts.ts";

const FIELDS: readonly SortField[] = [
  ...(["symbol", "name", "marketValue", "gainPct", "lastPrice"] as const),
  ...(["distanceToTarget", "quantity", "avgCost", "updatedAt", "createdAt"] as const),
];

/** A field, and its direction. */
export const SortChoice = ({
  sort,
  onSort,
}: {
  readonly sort: ListSort;
  readonly onSort: (sort: ListSort) => void;
}) => (
  <div class="sort-choice">
    <Select
      label="Sort by"
      value={sort.field}
      options={FIELDS.map((field) => [field, LIST_SORTS[field][0]] as const)}
      onPick={(field) => onSort({ field, order: LIST_SORTS[field][1] })}
    />
    <Button
      tone="ghost"
      icon={sort.order === "asc" ? IconArrowUp : IconArrowDown}
      label={sort.order === "asc" ? "Ascending. Sort descending" : "Descending. Sort ascending"}
      onClick={() => onSort({ ...sort, order: otherOrder(sort.order) })}
    />
  </div>
);
