import { useMemo } from "preact/hooks";
import type { Stock, StockStatus } from "../../../contract/stocks/stock.ts";
import { formatCount, LOCALE } from "../../format/format-number.ts";
import { useStocksPlace } from "../../navigation/stocks-place.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { adoptStyles } from "../../parts/late-styles.ts";
import { Select } from "../../parts/select.tsx";
import filterStyles from "./filters.css";
import { countFilters, filterStocks, type ListFilters, NO_FILTERS, stocksOnTab } from "./shown/narrow-stocks.ts";

/** A choice and how many stocks have it. */
type FilterOption = { readonly value: string; readonly count: number };

/** The tags in use, the most common first, each in its most common spelling. */
export const tagOptions = (stocks: readonly Stock[], locale: string): readonly FilterOption[] => {
  const byKey = Map.groupBy(
    stocks.flatMap(({ tags }) => tags),
    (tag) => tag.toLowerCase(),
  );
  return [...byKey.values()]
    .map((spellings) => ({ value: commonest(spellings), count: spellings.length }))
    .sort((a, b) => b.count - a.count || a.value.localeCompare(b.value, locale));
};

/** The currencies in use, by code. */
export const currencyOptions = (stocks: readonly Stock[]): readonly FilterOption[] =>
  [...Map.groupBy(stocks, ({ currency }) => currency)]
    .map(([value, those]) => ({ value, count: those.length }))
    .sort((a, b) => (a.value < b.value ? -1 : 1));

const commonest = (spellings: readonly string[]): string => {
  const [first] = [...Map.groupBy(spellings, (tag) => tag).entries()].sort(([, a], [, b]) => b.length - a.length);
  return first?.[0] ?? "";
};

type TagChoiceProps = {
  readonly options: readonly FilterOption[];
  readonly chosen: readonly string[];
  readonly onChange: (tags: readonly string[]) => void;
};

/** A box for each tag, ignoring case. A chosen tag that no stock has any more is still listed, so it can be unchecked. */
const TagChoice = ({ options, chosen, onChange }: TagChoiceProps) => {
  const isSame = (a: string) => (b: string) => a.toLowerCase() === b.toLowerCase();
  const gone = chosen.filter((tag) => !options.some(({ value }) => isSame(tag)(value)));
  return (
    <fieldset>
      <legend>Tags</legend>
      {[...options, ...gone.map((value) => ({ value, count: 0 }))].map(({ value, count }) => {
        const isChosen = chosen.some(isSame(value));
        return (
          <label key={value} class="check">
            <input
              type="checkbox"
              checked={isChosen}
              onChange={() => onChange(isChosen ? chosen.filter((tag) => !isSame(value)(tag)) : [...chosen, value])}
            />
            {value} <small class="count">{count}</small>
          </label>
        );
      })}
    </fieldset>
  );
};

const STATUSES: readonly (readonly [StockStatus | "", string])[] = [
  ["", "Any"],
  ["holding", "Held"],
  ["watching", "Watched only"],
  ["inactive", "Neither held nor watched"],
];

/** Each choice applies at once: the list behind the dialog shows what is left. `stocks` are all the person's stocks. */
export const FiltersDialog = ({
  stocks,
  onClose,
}: {
  readonly stocks: readonly Stock[];
  readonly onClose: () => void;
}) => {
  adoptStyles(filterStyles);
  const { place, go } = useStocksPlace();
  const set = (filters: Partial<ListFilters>): void => go(filters, { replace: true });
  const tags = useMemo(() => tagOptions(stocks, LOCALE), [stocks]);
  const currencies = useMemo(() => {
    const known = currencyOptions(stocks).map(({ value, count }) => [value, `${value} (${count})`] as const);
    const { currency } = place;
    const isKnown = currency === undefined || known.some(([value]) => value === currency);
    return [["", "Any"] as const, ...known, ...(isKnown ? [] : [[currency, currency] as const])];
  }, [stocks, place.currency]);
  const left = filterStocks(stocksOnTab(stocks, place.tab), place).length;
  return (
    <Dialog
      title="Filters"
      size="narrow"
      onClose={onClose}
      footer={
        <>
          <Button class="start" aria-disabled={countFilters(place) === 0} onClick={() => set(NO_FILTERS)}>
            Clear filters
          </Button>
          <Button tone="primary" onClick={onClose}>
            Show {formatCount(left, "stock", "stocks", LOCALE)}
          </Button>
        </>
      }
    >
      <div class="filters">
        <Field label="Status">
          {(control) => (
            <Select
              {...control}
              value={place.status ?? ""}
              options={STATUSES}
              onPick={(status) => set({ status: status || undefined })}
            />
          )}
        </Field>
        <Field label="Currency">
          {(control) => (
            <Select
              {...control}
              value={place.currency ?? ""}
              options={currencies}
              onPick={(currency) => set({ currency: currency || undefined })}
            />
          )}
        </Field>
        <label class="check">
          <input type="checkbox" checked={place.targetHit} onChange={() => set({ targetHit: !place.targetHit })} />
          Target reached
        </label>
        {(tags.length > 0 || place.tags.length > 0) && (
          <TagChoice options={tags} chosen={place.tags} onChange={(chosen) => set({ tags: chosen })} />
        )}
      </div>
    </Dialog>
  );
};
