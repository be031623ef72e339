/** All, watchlist, holdings. */
import { useRef } from "preact/hooks";
import type { StocksTab } from "../../../contract/navigation.ts";
import { formatDecimal } from "../../format/format-decimal.ts";
import { LOCALE } from "./locale.ts";

const TABS: readonly (readonly [StocksTab, string])[] = [
  ["all", "All"],
  ["watchlist", "Watchlist"],
  ["holdings", "Holdings"],
];

/** What the tabs show, for `aria-controls`. */
export const LIST_PANEL_ID = "stock-list";

/** The id of a tab's button. */
export const tabId = (tab: StocksTab): string => `tab-${tab}`;

type ListTabsProps = {
  readonly tab: StocksTab;
  /** Undefined until the list is here. */
  readonly counts: Readonly<Record<StocksTab, number>> | undefined;
  readonly onPick: (tab: StocksTab) => void;
};

/** Arrow keys move between the tabs and pick at once. */
export const ListTabs = ({ tab, counts, onPick }: ListTabsProps) => {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
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
