/** The closes of a stock's listing, as a chart or as a table. Loaded when a stock is opened. */
import { useMemo, useState } from "preact/hooks";
import type { HistoryRange, PriceHistory } from "../../../contract/prices/find-symbol.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { useActionQuery } from "../../api/use-action-query.ts";
import { formatPrice } from "../../format/format-money.ts";
import { LOCALE } from "../../format/format-number.ts";
import { writeDay } from "../../format/write-day.ts";
import { adoptStyles } from "../../parts/late-styles.ts";
import { ChartFoot, ChartFrame, NoCloses, summarize, useShownRange } from "./chart-frame.tsx";
import { CHART_STYLES } from "./chart-styles.ts";
import { ChartTable } from "./chart-table.tsx";
import { type ChartLevel, LineChart, type WrittenPoint } from "./line-chart.tsx";

/** What is shown of a stock's targets and cost. */
const levelsOf = ({ targetLow, targetHigh, avgCost, currency }: Stock): readonly ChartLevel[] => {
  const level = (label: string, price: string | null, kind: ChartLevel["kind"]): ChartLevel[] =>
    price === null ? [] : [{ label, value: Number(price), text: formatPrice(price, currency, LOCALE), kind }];
  return [
    ...level("Buy target", targetLow, "buy"),
    ...level("Sell target", targetHigh, "sell"),
    ...level("Average cost", avgCost, "cost"),
  ];
};

/** Shows nothing for a stock without a listing, whose history no source knows. */
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
  const shownRange = useShownRange(range, query.isPlaceholderData);
  if (instrument === null) return null;
  const history = query.data?.history;
  return (
    <ChartFrame
      title="Price history"
      range={range}
      onRange={setRange}
      isBusy={query.isFetching || query.isPlaceholderData}
    >
      {history ? (
        <>
          <Closes symbol={symbol} history={history} stock={stock} range={shownRange} isTable={isTable} />
          <ChartFoot sources={[history.source]} isTable={isTable} onTable={() => setTable(!isTable)}>
            Closes until {writeDay(history.points.at(-1)?.[0] ?? "")}, adjusted for splits.
          </ChartFoot>
        </>
      ) : (
        <NoCloses query={query} />
      )}
    </ChartFrame>
  );
};

type ClosesProps = {
  readonly symbol: string;
  readonly history: PriceHistory;
  readonly stock: Stock;
  readonly range: HistoryRange;
  readonly isTable: boolean;
};

const Closes = ({ symbol, history: { points: closes, currency }, stock, range, isTable }: ClosesProps) => {
  const points = useMemo(
    () =>
      closes.map(
        ([day, close]): WrittenPoint => ({ day, value: Number(close), text: formatPrice(close, currency, LOCALE) }),
      ),
    [closes, currency],
  );
  // A level in a currency other than the closes' would be at the wrong height.
  const levels = useMemo(() => (stock.currency === currency ? levelsOf(stock) : []), [stock, currency]);
  if (isTable) return <ChartTable caption={`Closes of ${symbol}, newest first`} heading="Close" points={points} />;
  return <LineChart label={`Closes of ${symbol}`} points={points} levels={levels} summary={summarize(points, range)} />;
};
