/** Narrows the list. Each choice holds at once: the list behind the dialog shows what is left. */
import { useMemo } from "preact/hooks";
import type { Stock, StockStatus } from "../../../contract/stock.ts";
import { formatCount } from "../../format/format-count.ts";
import { useStocksPlace } from "../../navigation/use-stocks-place.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { Select } from "../../parts/select.tsx";
import { LOCALE } from "../list/locale.ts";
import { countFilters, filterStocks, type ListFilters, NO_FILTERS, stocksOnTab } from "../list/narrow-stocks.ts";
import { currencyOptions, tagOptions } from "./filter-options.ts";
import { TagChoice } from "./tag-choice.tsx";

const STATUSES: readonly (readonly [StockStatus | "", string])[] = [
  ["", "Any"],
  ["holding", "Held"],
  ["watching", "Only watched"],
  ["inactive", "Neither held nor watched"],
];

/** `stocks` are all of them. */
export const FiltersDialog = ({
  stocks,
  onClose,
}: {
  readonly stocks: readonly Stock[];
  readonly onClose: () => void;
}) => {
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
