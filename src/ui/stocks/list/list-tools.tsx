/** What chooses from the list: tabs, search, filters, and the menu of the rest. */
import { IconFilter } from "@tabler/icons-preact";
import type { StocksTab } from "../../../contract/navigation.ts";
import { useStocksPlace } from "../../navigation/use-stocks-place.ts";
import { Button } from "../../parts/button.tsx";
import { ListMenu } from "./list-menu.tsx";
import { ListTabs } from "./list-tabs.tsx";
import { countFilters } from "./narrow-stocks.ts";
import { SearchBox } from "./search-box.tsx";
import type { Search } from "./use-search.ts";

type ListToolsProps = {
  readonly counts: Readonly<Record<StocksTab, number>> | undefined;
  readonly search: Search;
  readonly onEnter: (text: string) => void;
  readonly isSelecting: boolean;
  readonly onSelect: () => void;
};

/** A tab brings its own order along. */
export const ListTools = ({ counts, search, onEnter, isSelecting, onSelect }: ListToolsProps) => {
  const { place, go } = useStocksPlace();
  const filterCount = countFilters(place);
  return (
    <div class="list-tools">
      <ListTabs tab={place.tab} counts={counts} onPick={(tab) => go({ tab, sort: undefined })} />
      <SearchBox search={search} onEnter={onEnter} />
      <Button
        icon={IconFilter}
        class="filters-button roomy"
        aria-label={filterCount === 0 ? "Filters" : `Filters, ${filterCount} on`}
        onClick={() => go({ dialog: "filters" })}
      >
        <span>Filters</span>
        {filterCount > 0 && <b>{filterCount}</b>}
      </Button>
      <ListMenu isSelecting={isSelecting} onSelect={onSelect} />
    </div>
  );
};
