/** Closes of a stock for its chart and its small line. */
import type { HistoryRange, PriceHistory } from "../../contract/prices/find-symbol.ts";
import { hoursMarketOf } from "../../contract/prices/hours-market.ts";
import { type DayClose, findCloses } from "../../db/prices/closes.ts";
import type { StockRow } from "../../db/stock-tables.ts";
import { closeOfDay } from "../../quotes/rules/market-clock.ts";
import type { ActionContext } from "../define-action.ts";

/** Most points of a chart, and of what the agent reads. */
const MAX_POINTS = 300;
const AGENT_POINTS = 60;

/** Months that a range goes back; `max` has no limit but what is stored. */
const MONTHS: Readonly<Record<HistoryRange, number>> = { "1m": 1, "6m": 6, "1y": 12, "5y": 60, max: 1_200 };

/** The first day of a range: the same day of its month, or the last one of a shorter month. */
export const firstDay = (range: HistoryRange, nowMs: number): string => {
  const date = new Date(nowMs);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() - MONTHS[range]);
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.toISOString().slice(0, 10);
};

/** The history of a stock's listing; null without one, or when nothing is known of it. The first time it is fetched. */
export const historyOf = async (
  { db, prices, nowMs, via }: ActionContext,
  { instrumentId, instrument, currency, exchange }: StockRow,
  range: HistoryRange,
): Promise<PriceHistory | null> => {
  if (instrumentId === null || instrument === null) return null;
  const from = firstDay(range, nowMs());
  const read = async () => (await findCloses(db, [instrumentId], Number(from.slice(0, 4)))).get(instrumentId) ?? [];
  let closes = await read();
  if (closes.length === 0) {
    await prices.fetchHistory(instrumentId);
    closes = await read();
  }
  const points = thin(
    closes.filter(([day]) => day >= from),
    via === "agent" ? AGENT_POINTS : MAX_POINTS,
  );
  const last = points.at(-1);
  if (last === undefined) return null;
  return {
    ...{ currency, adjusted: "splits", points: points.map(([day, close]) => [day, close]) },
    asOf: new Date(closeOfDay(hoursMarketOf(instrument, exchange), last[0])).toISOString(),
    source: instrument.source,
  };
};

/** Keeps the points that a line is seen by: of each stretch the one that makes the largest triangle (Steinarsson, 2013). */
const thin = (closes: readonly DayClose[], max: number): DayClose[] => {
  const [first, ...rest] = closes;
  const last = rest.at(-1);
  if (first === undefined || last === undefined || closes.length <= max) return [...closes];
  const kept: DayClose[] = [first];
  const size = (closes.length - 2) / (max - 2);
  let from = 0;
  for (let stretch = 0; stretch < max - 2; stretch += 1) {
    const start = Math.floor(stretch * size) + 1;
    const end = Math.floor((stretch + 1) * size) + 1;
    const next = closes.slice(end, Math.max(end + 1, Math.min(Math.floor((stretch + 2) * size) + 1, closes.length)));
    const nextX = end + (next.length - 1) / 2;
    const nextY = next.reduce((sum, [, close]) => sum + Number(close), 0) / next.length;
    const height = (place: number) => Number(closes[place]?.[1]);
    const area = (place: number) =>
      Math.abs((from - nextX) * (height(place) - height(from)) - (from - place) * (nextY - height(from)));
    let best = start;
    for (let place = start + 1; place < end; place += 1) if (area(place) > area(best)) best = place;
    const point = closes[best];
    if (point !== undefined) kept.push(point);
    from = best;
  }
  return [...kept, last];
};

/** Closes of a small line. */
const SPARK_CLOSES = 30;

/** The small lines of listings: closes from 0 to 100 between the lowest and the highest, oldest first; null with fewer than two. */
export const sparksOf = async (
  { db, nowMs }: Pick<ActionContext, "db" | "nowMs">,
  instrumentIds: readonly string[],
): Promise<(instrumentId: string | null) => number[] | null> => {
  const year = new Date(nowMs()).getUTCFullYear();
  const closes = instrumentIds.length === 0 ? new Map() : await findCloses(db, instrumentIds, year - 1);
  return (instrumentId) => {
    const all: readonly DayClose[] = instrumentId === null ? [] : (closes.get(instrumentId) ?? []);
    const values = all.slice(-SPARK_CLOSES).map(([, close]) => Number(close));
    if (values.length < 2) return null;
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return values.map((value) => (high === low ? 50 : Math.round(((value - low) / (high - low)) * 100)));
  };
};
