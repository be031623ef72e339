/**
 * A line over days. A point can be marked, by pointer or by keys: the plot is a slider, so a screen reader reads the point out. The marked
 * point is also written above the plot.
 */
import { useMemo, useState } from "preact/hooks";
import { formatDecimal, LOCALE } from "../../format/format-number.ts";
import { writeDay } from "../../format/write-day.ts";
import { hasModifier } from "../../state/key-events.ts";
import {
  type ChartPoint,
  heightOf,
  nearestTo,
  nearLines,
  pathOf,
  placesOf,
  pointAfterKey,
  scaleOf,
  type ValueScale,
} from "./chart-geometry.ts";

/** A point and the text that is written for it, which has the exact value. */
export type WrittenPoint = ChartPoint & { readonly text: string };

/** A level that is compared with the series, such as a target. */
export type ChartLevel = {
  readonly label: string;
  readonly value: number;
  readonly text: string;
  readonly kind: "buy" | "sell" | "cost";
};

type LineChartProps = {
  /** What it shows, such as `Price of AAPL`. */
  readonly label: string;
  /** At least one, oldest first. */
  readonly points: readonly WrittenPoint[];
  readonly levels?: readonly ChartLevel[];
  /** What is written while no point is marked. */
  readonly summary: string;
};

/** Writes only the digits that a tick needs: a price's decimals would be too many. */
const writeTick = (value: number): string => formatDecimal(String(Number(value.toPrecision(6))), LOCALE);

const percent = (share: number): string => `${share * 100}%`;

export const LineChart = ({ label, points, levels = [], summary }: LineChartProps) => {
  const [marked, mark] = useState<number>();
  const near = useMemo(() => nearLines(points, levels), [points, levels]);
  const scale = useMemo(() => scaleOf([...points, ...near].map(({ value }) => value)), [points, near]);
  const places = useMemo(() => placesOf(points), [points]);
  const last = points.length - 1;
  const current = Math.min(marked ?? last, last);
  const point = points[current];
  const read = (event: PointerEvent & { readonly currentTarget: HTMLElement }): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    mark(nearestTo(places, (event.clientX - left) / width));
  };
  if (point === undefined) return null;
  const said = `${writeDay(point.day)}: ${point.text}`;
  return (
    <>
      {/* The summary keeps its room: a press takes the mark away, and what is pressed may not move under it. */}
      <p class="chart-read">
        <span class={marked === undefined ? undefined : "off"}>{summary}</span>
        {marked !== undefined && <b>{said}</b>}
      </p>
      <div
        class="chart-plot"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={current}
        aria-valuetext={said}
        onPointerDown={read}
        onPointerMove={read}
        onPointerLeave={({ pointerType }) => {
          // A finger leaves when it is lifted: what it marked stays.
          if (pointerType === "mouse") mark(undefined);
        }}
        onBlur={() => mark(undefined)}
        onKeyDown={(event) => {
          const next = pointAfterKey(event.key, current, points.length);
          if (next === undefined || hasModifier(event)) return;
          event.preventDefault();
          mark(next);
        }}
      >
        <Plot points={points} levels={near} scale={scale} />
        {marked !== undefined && <Cross x={places[current] ?? 0} y={heightOf(point.value, scale)} />}
        {scale.ticks.map((tick) => (
          <span key={tick} class="chart-tick" aria-hidden="true" style={{ top: percent(heightOf(tick, scale)) }}>
            {writeTick(tick)}
          </span>
        ))}
      </div>
      <p class="chart-days" aria-hidden="true">
        <span>{writeDay(points[0]?.day ?? "")}</span>
        <span>{writeDay(points[last]?.day ?? "")}</span>
      </p>
      {levels.length > 0 && (
        <ul class="chart-lines" aria-label="Lines in the chart">
          {levels.map((level) => (
            <li key={level.label}>
              <svg viewBox="0 0 22 2" aria-hidden="true">
                <line class={`chart-mark ${level.kind}`} x1={0} x2={22} y1={1} y2={1} />
              </svg>
              {level.label} {level.text}
              {!near.includes(level) && ", off the chart"}
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

type PlotProps = {
  readonly points: readonly ChartPoint[];
  readonly levels: readonly ChartLevel[];
  readonly scale: ValueScale;
};

/** In a box of 100 by 100 that is stretched to the plot; strokes keep their width. */
const Plot = ({ points, levels, scale }: PlotProps) => {
  const path = useMemo(() => pathOf(points, scale), [points, scale]);
  const across = (value: number) => ({
    x1: 0,
    x2: 100,
    y1: heightOf(value, scale) * 100,
    y2: heightOf(value, scale) * 100,
  });
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      {scale.ticks.map((tick) => (
        <line key={tick} class="chart-grid" {...across(tick)} />
      ))}
      {levels.map(({ label, value, kind }) => (
        <line key={label} class={`chart-mark ${kind}`} {...across(value)} />
      ))}
      <path class="chart-line" d={path} />
    </svg>
  );
};

const Cross = ({ x, y }: { readonly x: number; readonly y: number }) => (
  <>
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      <line class="chart-cross" x1={x * 100} x2={x * 100} y1={0} y2={100} />
    </svg>
    <span class="chart-dot" aria-hidden="true" style={{ insetInlineStart: percent(x), top: percent(y) }} />
  </>
);
