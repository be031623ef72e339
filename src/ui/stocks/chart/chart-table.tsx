/** The points of a chart as a table, newest first. */
import { writeDay } from "../../format/write-day.ts";
import type { WrittenPoint } from "./line-chart.tsx";

type ChartTableProps = { readonly caption: string; readonly heading: string; readonly points: readonly WrittenPoint[] };

/** It scrolls, so it takes the focus: otherwise keys could not scroll it. */
export const ChartTable = ({ caption, heading, points }: ChartTableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys.
  <section class="chart-table" tabIndex={0} aria-label={caption}>
    <table>
      <caption class="vh">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col">{heading}</th>
        </tr>
      </thead>
      <tbody>
        {points.toReversed().map(({ day, text }) => (
          <tr key={day}>
            <th scope="row">
              <time dateTime={day}>{writeDay(day)}</time>
            </th>
            <td>{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
