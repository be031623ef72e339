/** What today's holdings were worth at past closes, as a chart or as a table. Loaded when the breakdown is opened. */
import { useMemo, useState } from "preact/hooks";
import type { ActionInput, ActionOutput } from "../../../contract/action.ts";
import type { HistoryRange } from "../../../contract/prices/find-symbol.ts";
import { useActionQuery } from "../../api/use-action-query.ts";
import { formatMoney } from "../../format/format-money.ts";
import { LOCALE } from "../../format/format-number.ts";
import { writeDay } from "../../format/write-day.ts";
import { adoptStyles } from "../../parts/late-styles.ts";
import { ChartFoot, ChartFrame, NoCloses, summarize, useShownRange } from "./chart-frame.tsx";
import { CHART_STYLES } from "./chart-styles.ts";
import { ChartTable } from "./chart-table.tsx";
import { LineChart, type WrittenPoint } from "./line-chart.tsx";

const TITLE = "Value of today's holdings";

type ValueChartProps = { readonly filter: Omit<ActionInput<"value-history">, "range"> };

/** Of the holdings that pass `filter`. */
export const ValueChart = ({ filter }: ValueChartProps) => {
  adoptStyles(CHART_STYLES);
  const [range, setRange] = useState<HistoryRange>("6m");
  const [isTable, setTable] = useState(false);
  const query = useActionQuery("value-history", { ...filter, range }, { keepPrevious: true });
  const history = query.data;
  const shownRange = useShownRange(range, query.isPlaceholderData);
  const isBusy = query.isFetching || query.isPlaceholderData;
  const points = useMemo(
    () =>
      (history?.points ?? []).map(
        ([day, value]): WrittenPoint => ({
          ...{ day, value: Number(value) },
          text: formatMoney(value, history?.currency ?? "", LOCALE),
        }),
      ),
    [history],
  );
  if (history === undefined || points.length === 0) {
    return (
      <ChartFrame title={TITLE} range={range} onRange={setRange} isBusy={isBusy}>
        <NoCloses query={query} />
      </ChartFrame>
    );
  }
  return (
    <ChartFrame title={TITLE} range={range} onRange={setRange} isBusy={isBusy}>
      {isTable ? (
        <ChartTable caption={`${TITLE}, newest first`} heading={`Value, ${history.currency}`} points={points} />
      ) : (
        <LineChart label={TITLE} points={points} summary={summarize(points, shownRange)} />
      )}
      <ChartFoot sources={history.sources} isTable={isTable} onTable={() => setTable(!isTable)}>
        {noteOf(history, points)}
      </ChartFoot>
    </ChartFrame>
  );
};

/** Most symbols that are named. The others are only counted. */
const MAX_NAMED = 5;

/** Explains what the line shows and what it leaves out. */
const noteOf = (
  { ratesOn, shortest, without, more }: ActionOutput<"value-history">,
  points: readonly WrittenPoint[],
): string => {
  const named = without.slice(0, MAX_NAMED).join(", ");
  const others = without.length - MAX_NAMED + more;
  const left = [named, others > 0 && `${others} more`].filter(Boolean).join(" and ");
  return [
    `Today's quantities at past closing prices${ratesOn === null ? "" : `, at the rates of ${writeDay(ratesOn)}`}: not what you held then.`,
    shortest !== null && `It starts on ${writeDay(points[0]?.day ?? "")}, with the first closing price of ${shortest}.`,
    left !== "" && `Not included: ${left}.`,
  ]
    .filter(Boolean)
    .join(" ");
};
