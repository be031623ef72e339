/** What stands in place of the list when nothing is left of it. */
import type { StocksTab } from "../../../contract/navigation.ts";
import { useStocksPlace } from "../../navigation/use-stocks-place.ts";
import { Button } from "../../parts/button.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";

const EMPTY_TABS: Readonly<Record<StocksTab, readonly [title: string, text: string]>> = {
  all: ["No stocks", "Add one to begin."],
  watchlist: ["Your watchlist is empty", "Press the star of a stock to watch it here."],
  holdings: ["No holdings yet", "A stock with a quantity is a holding."],
};

type NoMatchProps = {
  readonly tab: StocksTab;
  /** As it was typed. */
  readonly text: string;
  readonly isNarrowed: boolean;
  readonly onClear: () => void;
};

/** Offers to show everything, and to add what was looked for. */
export const NoMatch = ({ tab, text, isNarrowed, onClear }: NoMatchProps) => {
  const { go } = useStocksPlace();
  const sought = text.trim();
  if (!isNarrowed) {
    const [title, explanation] = EMPTY_TABS[tab];
    return (
      <EmptyState title={title} actions={<Button onClick={() => go({ dialog: "add" })}>Add stock</Button>}>
        {explanation}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={sought === "" ? "Nothing passes the filters" : `Nothing matches “${sought}”`}
      actions={
        <>
          <Button onClick={onClear}>{sought === "" ? "Clear filters" : "Clear search and filters"}</Button>
          {sought !== "" && (
            <Button tone="primary" onClick={() => go({ dialog: "add", draft: sought })}>
              Add “{sought}”
            </Button>
          )}
        </>
      }
    >
      {sought !== "" && "Search looks at symbol, name, ISIN, market, sector and tags."}
    </EmptyState>
  );
};
