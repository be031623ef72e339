/** The list of stocks, its figures and charts. */

import { adoptStyles } from "../../../src/ui/parts/late-styles.ts";
import { ChartFoot, ChartFrame, NoCloses, summarize } from "../../../src/ui/stocks/chart/chart-frame.tsx";
import { CHART_STYLES } from "../../../src/ui/stocks/chart/chart-styles.ts";
import { type ChartLevel, LineChart, type WrittenPoint } from "../../../src/ui/stocks/chart/line-chart.tsx";
import { EmptyStart, NoMatch } from "../../../src/ui/stocks/list/empty-list.tsx";
import { ListBody } from "../../../src/ui/stocks/list/list-body.tsx";
import { Allocation, allocationOf } from "../../../src/ui/stocks/list/totals/allocation.tsx";
import totalsStyles from "../../../src/ui/stocks/list/totals/totals.css";
import type { StockList } from "../../../src/ui/stocks/store/stock-store.ts";
import type { Part } from "./part.ts";
import { EMPTY_LIST, LIST, STOCKS } from "./samples.ts";

/** In the pane whose width its styles go by. */
const Body = ({ list, error = null }: { readonly list: StockList | undefined; readonly error?: Error | null }) => (
  <div class="list-pane">
    <ListBody list={list} error={error} onRetry={() => {}} />
  </div>
);

/** A year of weeks that rise and fall. */
const POINTS: readonly WrittenPoint[] = Array.from({ length: 52 }, (_, week) => {
  const value = Math.round(18_000 + 3_000 * Math.sin(week / 6) + week * 60) / 100;
  return {
    day: new Date(Date.UTC(2025, 10, 24) + week * 7 * 86_400_000).toISOString().slice(0, 10),
    value,
    text: `$${value}`,
  };
});

const LEVELS: readonly ChartLevel[] = [
  { label: "Buy target", value: 150, text: "$150.00", kind: "buy" },
  { label: "Sell target", value: 220, text: "$220.00", kind: "sell" },
  { label: "Average cost", value: 180.5, text: "$180.50", kind: "cost" },
];

const Chart = ({ title, levels }: { readonly title: string; readonly levels: readonly ChartLevel[] }) => {
  adoptStyles(CHART_STYLES);
  return (
    <ChartFrame title={title} range="1y" onRange={() => {}} isBusy={false}>
      <LineChart label="Price of AAPL" points={POINTS} levels={levels} summary={summarize(POINTS, "1y")} />
      <ChartFoot sources={["twelvedata"]} isTable={false} onTable={() => {}}>
        Closes until Nov 20, 2026, adjusted for splits.
      </ChartFoot>
    </ChartFrame>
  );
};

/** A read that has ended, and found nothing. */
const QUERY = { error: null, isFetching: false, isPaused: false, refetch: () => {} };

export const LIST_PARTS: readonly Part[] = [
  { name: "List", isAlone: true, states: { usual: () => <Body list={LIST} /> } },
  {
    name: "List, outdated",
    isAlone: true,
    states: { usual: () => <Body list={{ ...LIST, asOf: "9:41 AM" }} error={new Error()} /> },
  },
  { name: "List, loading", isAlone: true, states: { usual: () => <Body list={undefined} /> } },
  { name: "List, empty", isAlone: true, states: { usual: () => <Body list={EMPTY_LIST} /> } },
  {
    name: "Nothing in the list",
    states: {
      "empty start": () => <EmptyStart />,
      "no match": () => <NoMatch tab="all" text="zzz" narrowedBy="search" onClear={() => {}} />,
      "no match of filters": () => <NoMatch tab="all" text="" narrowedBy="filters" onClear={() => {}} />,
      "no holdings": () => <NoMatch tab="holdings" text="" narrowedBy="" onClear={() => {}} />,
    },
  },
  { name: "Chart", states: { plain: () => <Chart title="Price history" levels={[]} /> } },
  {
    name: "Chart with targets",
    states: { usual: () => <Chart title="Price history, with targets" levels={LEVELS} /> },
  },
  {
    name: "Chart without closes",
    states: {
      loading: () => <NoCloses query={{ ...QUERY, isFetching: true }} />,
      offline: () => <NoCloses query={{ ...QUERY, isPaused: true }} />,
      failed: () => <NoCloses query={{ ...QUERY, error: new Error("The source is out of credits until midnight.") }} />,
    },
  },
  {
    name: "Allocation",
    states: {
      usual: () => {
        adoptStyles(totalsStyles);
        return <Allocation parts={allocationOf(STOCKS, LIST.base.rates)} />;
      },
    },
  },
];
