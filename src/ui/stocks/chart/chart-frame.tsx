/** What surrounds the line of a chart: how far back it goes, what is said while there is no line, and who provided the closes. */
import type { UseQueryResult } from "@tanstack/preact-query";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ATTRIBUTIONS } from "../../../contract/prices/attributions.ts";
import type { HistoryRange } from "../../../contract/prices/find-symbol.ts";
import { formatPercent, LOCALE } from "../../format/format-number.ts";
import { announce } from "../../parts/announcer.tsx";
import { Button } from "../../parts/button.tsx";
import type { WrittenPoint } from "./line-chart.tsx";

const RANGES: readonly (readonly [range: HistoryRange, label: string, words: string])[] = [
  ["1m", "1M", "1 month"],
  ["6m", "6M", "6 months"],
  ["1y", "1Y", "1 year"],
  ["5y", "5Y", "5 years"],
  ["max", "Max", "all years"],
];

const rangeWords = (range: HistoryRange): string => RANGES.find(([one]) => one === range)?.[2] ?? "";

/** The change over the range, with the lowest and the highest point. */
export const summarize = (points: readonly WrittenPoint[], range: HistoryRange): string => {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return "";
  const byValue = points.toSorted((one, other) => one.value - other.value);
  const change = formatPercent(String(Number(((last.value / first.value - 1) * 100).toFixed(4))), LOCALE);
  return `${change} over ${rangeWords(range)}, between ${byValue[0]?.text} and ${byValue.at(-1)?.text}`;
};

/** The range of the points that are shown: the previous range while the points of `range` are on their way (`isOld`). */
export const useShownRange = (range: HistoryRange, isOld: boolean): HistoryRange => {
  const shown = useRef(range);
  if (!isOld) shown.current = range;
  return shown.current;
};

type ChartFrameProps = {
  readonly title: string;
  readonly range: HistoryRange;
  readonly onRange: (range: HistoryRange) => void;
  readonly isBusy: boolean;
  readonly children: ComponentChildren;
};

/** The section of a chart, with its title and its ranges. */
export const ChartFrame = ({ title, range, onRange, isBusy, children }: ChartFrameProps) => (
  <section class="chart" aria-label={title} aria-busy={isBusy}>
    <div class="chart-head">
      <h3>{title}</h3>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form's. */}
      <div class="chart-ranges" role="group" aria-label="How far back">
        {RANGES.map(([one, label, name]) => (
          <Button
            key={one}
            tone="ghost"
            isSmall
            aria-label={`${label}, ${name}`}
            aria-pressed={one === range}
            onClick={() => onRange(one)}
          >
            {label}
          </Button>
        ))}
      </div>
    </div>
    {children}
  </section>
);

type NoClosesProps = {
  readonly query: Pick<UseQueryResult, "error" | "isFetching" | "isPaused"> & { readonly refetch: () => unknown };
};

const OFFLINE = "You are offline. Past prices will load once you are back online.";

/** Shown in place of a line that is loading, could not be loaded, or does not exist. What comes of "Try again" is announced. */
export const NoCloses = ({ query: { error, isFetching, isPaused, refetch } }: NoClosesProps) => {
  // In a ref: a state would render it again with the old words before the new request is known.
  const isAsked = useRef(false);
  const words = isPaused
    ? OFFLINE
    : (error?.message ?? "There are no past prices yet. The source may have them later.");
  useEffect(() => {
    if (isAsked.current && !isFetching) announce(words);
  }, [isFetching, words]);
  if (isFetching) return <div class="chart-wait skeleton" role="status" aria-label="Loading the price history" />;
  // The read goes on by itself once the network is back. Until then, trying again would only wait as well.
  if (isPaused) {
    return <p class="no-closes">{words}</p>;
  }
  return (
    <p class="no-closes">
      {words}{" "}
      <Button
        isSmall
        onClick={() => {
          isAsked.current = true;
          refetch();
        }}
      >
        Try again
      </Button>
    </p>
  );
};

const isSource = (source: string): source is keyof typeof ATTRIBUTIONS => Object.hasOwn(ATTRIBUTIONS, source);

type ChartFootProps = {
  readonly sources: readonly string[];
  readonly isTable: boolean;
  readonly onTable: () => void;
  readonly children: ComponentChildren;
};

/** Says what the points are (`children`) and who provided them: sources require to be named where their prices are shown. */
export const ChartFoot = ({ sources, isTable, onTable, children }: ChartFootProps) => (
  <div class="chart-head">
    <p class="chart-note">
      {children}
      {sources.map((source) => {
        const { text, url } = isSource(source) ? ATTRIBUTIONS[source] : { text: source, url: null };
        return (
          <span key={source}>
            {" "}
            {url === null ? (
              text
            ) : (
              <a href={url} target="_blank" rel="noopener">
                {text}
              </a>
            )}
          </span>
        );
      })}
    </p>
    <Button isSmall aria-pressed={isTable} onClick={onTable}>
      Show as table
    </Button>
  </div>
);
