/** The tools above the list: tabs, search, choice of sort, filters and a menu. */
import { IconDotsVertical, IconFilter } from "@tabler/icons-preact";
import { useRef } from "preact/hooks";
import type { StocksTab } from "../../../contract/screen/navigation.ts";
import { SORT_FIELDS, STOCK_SORTS } from "../../../contract/stocks/stock-sorts.ts";
import { formatDecimal, LOCALE } from "../../format/format-number.ts";
import { useStocksPlace } from "../../navigation/stocks-place.ts";
import { Button } from "../../parts/button.tsx";
import { DialogBoundary } from "../../parts/error-screen.tsx";
import { closeMenu, Menu } from "../../parts/menu.tsx";
import { Select } from "../../parts/select.tsx";
import { hasModifier } from "../../state/key-events.ts";
import { ListMenuEntries } from "./lazy-list-extras.ts";
import { type Search, SearchBox } from "./search-box.tsx";
import type { ListSort } from "./shown/list-sorts.ts";
import { countFilters } from "./shown/narrow-stocks.ts";

const ListMenu = (props: ListToolsProps) => (
  <Menu label="List menu" icon={IconDotsVertical}>
    <DialogBoundary onClose={closeMenu}>
      <ListMenuEntries {...props} />
    </DialogBoundary>
  </Menu>
);

const TABS: readonly (readonly [StocksTab, string])[] = [
  ["all", "All"],
  ["watchlist", "Watchlist"],
  ["holdings", "Holdings"],
];

/** The id of the panel below the tabs, for `aria-controls`. */
export const LIST_PANEL_ID = "stock-list";

/** The id of a tab's button. */
export const tabId = (tab: StocksTab): string => `tab-${tab}`;

type ListTabsProps = {
  readonly tab: StocksTab;
  /** Undefined until the list has loaded. */
  readonly counts: Readonly<Record<StocksTab, number>> | undefined;
  readonly onPick: (tab: StocksTab) => void;
};

/** Arrow keys move between the tabs and pick at once. */
const ListTabs = ({ tab, counts, onPick }: ListTabsProps) => {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (hasModifier(event)) return;
    const at = TABS.findIndex(([name]) => name === tab);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
    const picked = next === undefined ? undefined : TABS.at(next % TABS.length);
    if (!picked) return;
    event.preventDefault();
    onPick(picked[0]);
    list.current?.querySelector<HTMLElement>(`#${tabId(picked[0])}`)?.focus();
  };
  return (
    <div ref={list} class="tabs" role="tablist" aria-label="Which stocks" onKeyDown={onKeyDown}>
      {TABS.map(([name, label]) => (
        <button
          key={name}
          id={tabId(name)}
          type="button"
          role="tab"
          aria-selected={name === tab}
          aria-controls={LIST_PANEL_ID}
          tabIndex={name === tab ? 0 : -1}
          onClick={() => onPick(name)}
        >
          {label} <b>{counts && formatDecimal(String(counts[name]), LOCALE)}</b>
        </button>
      ))}
    </div>
  );
};

type ListToolsProps = {
  readonly counts: Readonly<Record<StocksTab, number>> | undefined;
  readonly search: Search;
  readonly onEnter: (text: string) => void;
  readonly isSelecting: boolean;
  readonly onSelect: () => void;
  /** Cards instead of a table. */
  readonly isNarrow: boolean;
  /** The currency that values are compared in; undefined until the list has loaded. */
  readonly currency: string | undefined;
  readonly sort: ListSort;
  readonly onSort: (sort: ListSort) => void;
};

/** Switching tabs also switches to the tab's own sort. */
export const ListTools = (props: ListToolsProps) => {
  const { counts, search, onEnter, isNarrow } = props;
  const { place, go } = useStocksPlace();
  const filterCount = countFilters(place);
  return (
    <div class="list-tools">
      <ListTabs tab={place.tab} counts={counts} onPick={(tab) => go({ tab, sort: undefined })} />
      <SearchBox search={search} onEnter={onEnter} />
      {isNarrow && <SortChoice {...props} />}
      <Button
        icon={IconFilter}
        class="filters-button roomy"
        aria-label={filterCount === 0 ? "Filters" : `Filters, ${filterCount} on`}
        onClick={() => go({ dialog: "filters" })}
      >
        <span>Filters</span>
        {filterCount > 0 && <b>{filterCount}</b>}
      </Button>
      <ListMenu {...props} />
    </div>
  );
};

/** Sorts cards, which have no column heads. The menu reverses the order. */
const SortChoice = ({ sort, onSort, currency }: Pick<ListToolsProps, "sort" | "onSort" | "currency">) => (
  <div class="sort-choice">
    <Select
      label="Sort by"
      value={sort.field}
      options={SORT_FIELDS.map((field) => [
        field,
        // Rows show their own currencies, so without this they would seem out of order.
        STOCK_SORTS[field][0] + (field === "marketValue" && currency ? `, ${currency}` : ""),
      ])}
      onPick={(field) => onSort({ field, order: STOCK_SORTS[field][1] })}
    />
  </div>
);
