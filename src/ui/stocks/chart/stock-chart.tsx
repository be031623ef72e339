/** The closes of a stock's listing, as a chart or as a table. Loaded when a stock is opened. */
import { useMemo, useState } from "preact/hooks";
import { ATTRIBUTIONS } from "../../../contract/prices/attributions.ts";
import type { HistoryRange, PriceHistory } from "../../../contract/prices/find-symbol.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { useActionQuery } from "../../api/use-action-query.ts";
import { formatPrice } from "../../format/format-money.ts";
import { formatPercent, LOCALE } from "../../format/format-number.ts";
import { Button } from "../../parts/button.tsx";
import { adoptStyles } from "../../parts/late/late-styles.ts";
import { CHART_STYLES } from "./chart-styles.ts";
import { ChartTable } from "./chart-table.tsx";
import { type ChartLevel, LineChart, type WrittenPoint, writeDay } from "./line-chart.tsx";

const RANGES: readonly (readonly [range: HistoryRange, label: string, words: string])[] = [
  ["1m", "1M", "1 month"],
  ["6m", "6M", "6 months"],
  ["1y", "1Y", "1 year"],
  ["5y", "5Y", "5 years"],
  ["max", "Max", "all years"],
];

/** What is shown of a stock's targets and cost. */
const levelsOf = ({ targetLow, targetHigh, avgCost, currency }: Stock): readonly ChartLevel[] => {
  const level = (label: string, price: string | null, kind: ChartLevel["kind"]): ChartLevel[] =>
    price === null ? [] : [{ label, value: Number(price), text: formatPrice(price, currency, LOCALE), kind }];
  return [
    ...level("Buy target", targetLow, "target"),
    ...level("Sell target", targetHigh, "target"),
    ...level("Average cost", avgCost, "cost"),
  ];
};

/** The change over the range, with the lowest and the highest close. */
const summarize = (points: readonly WrittenPoint[], words: string): string => {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return "";
  const byValue = points.toSorted((one, other) => one.value - other.value);
  const change = formatPercent(String(Number(((last.value / first.value - 1) * 100).toFixed(4))), LOCALE);
  return `${change} over ${words}, between ${byValue[0]?.text} and ${byValue.at(-1)?.text}`;
};

/** Nothing for a stock without a listing: there is no history of what nobody knows. */
export const StockChart = ({ stock }: { readonly stock: Stock }) => {
  adoptStyles(CHART_STYLES);
  const [range, setRange] = useState<HistoryRange>("6m");
  const [isTable, setTable] = useState(false);
  const { id, instrument, symbol } = stock;
  const query = useActionQuery(
    "get-stock",
    { id, history: range },
    { enabled: instrument !== null, keepPrevious: true },
  );
  if (instrument === null) return null;
  const history = query.data?.history;
  const words = RANGES.find(([one]) => one === range)?.[2] ?? "";
  return (
    <section class="chart" aria-label="Price history" aria-busy={query.isFetching}>
      <div class="chart-head">
        <h3>Price history</h3>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form's. */}
        <div class="chart-ranges" role="group" aria-label="How far back">
          {RANGES.map(([one, label, name]) => (
            <Button
              key={one}
              tone="ghost"
              isSmall
              aria-label={`${label}, ${name}`}
              aria-pressed={one === range}
              onClick={() => setRange(one)}
            >
              {label}
            </Button>
          ))}
        </div>
      </div>
      {history ? (
        <Closes symbol={symbol} history={history} stock={stock} words={words} isTable={isTable} />
      ) : (
        <NoCloses problem={query.error?.message} isWaiting={query.isFetching} onRetry={() => void query.refetch()} />
      )}
      {history && <Foot history={history} isTable={isTable} onTable={() => setTable(!isTable)} />}
    </section>
  );
};

type ClosesProps = {
  readonly symbol: string;
  readonly history: PriceHistory;
  readonly stock: Stock;
  readonly words: string;
  readonly isTable: boolean;
};

const Closes = ({ symbol, history: { points: closes, currency }, stock, words, isTable }: ClosesProps) => {
  const points = useMemo(
    () =>
      closes.map(
        ([day, close]): WrittenPoint => ({ day, value: Number(close), text: formatPrice(close, currency, LOCALE) }),
      ),
    [closes, currency],
  );
  // A level in another currency than the closes would be somewhere else.
  const levels = useMemo(() => (stock.currency === currency ? levelsOf(stock) : []), [stock, currency]);
  if (isTable) return <ChartTable caption={`Closes of ${symbol}, newest first`} heading="Close" points={points} />;
  return <LineChart label={`Closes of ${symbol}`} points={points} levels={levels} summary={summarize(points, words)} />;
};

type NoClosesProps = {
  readonly problem: string | undefined;
  readonly isWaiting: boolean;
  readonly onRetry: () => void;
};

const NoCloses = ({ problem, isWaiting, onRetry }: NoClosesProps) => {
  if (isWaiting) return <div class="chart-wait skeleton" role="status" aria-label="Loading the price history" />;
  return (
    <p role="status">
      {problem ?? "There are no past prices yet. The source may have them later."}{" "}
      <Button isSmall onClick={onRetry}>
        Try again
      </Button>
    </p>
  );
};

type FootProps = { readonly history: PriceHistory; readonly isTable: boolean; readonly onTable: () => void };

const isSource = (source: string): source is keyof typeof ATTRIBUTIONS => Object.hasOwn(ATTRIBUTIONS, source);

/** Until when, of what kind, and from whom: sources want to be named where their prices are. */
const Foot = ({ history: { points, source }, isTable, onTable }: FootProps) => {
  const attribution = isSource(source) ? ATTRIBUTIONS[source] : { text: source, url: null };
  return (
    <div class="chart-head">
      <p class="chart-note">
        Closes until {writeDay(points.at(-1)?.[0] ?? "")}, adjusted for splits.{" "}
        {attribution.url === null ? (
          attribution.text
        ) : (
          <a href={attribution.url} target="_blank" rel="noopener">
            {attribution.text}
          </a>
        )}
      </p>
      <Button isSmall aria-pressed={isTable} onClick={onTable}>
        Show as table
      </Button>
    </div>
  );
};
