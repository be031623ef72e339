/** Daily closes, a row a year: read for charts and sparklines, replaced whole. */
import * as z from "zod";
import { parseJson } from "../../contract/parse-json.ts";
import type { Db } from "../db.ts";

/** A day and its close, adjusted for splits. */
export type DayClose = readonly [day: string, close: string];

const Closes = z.array(z.tuple([z.string(), z.string()]));

/** Stores closes. Those of a year replace all that were stored of that year. */
export const saveCloses = async (
  { $client: d1 }: Db,
  instrumentId: string,
  closes: readonly DayClose[],
): Promise<void> => {
  await insertCloses(d1, instrumentId, closes).run();
};

/** Stores closes in place of all that were stored. If there are none, those stay. */
export const replaceCloses = async (
  { $client: d1 }: Db,
  instrumentId: string,
  closes: readonly DayClose[],
): Promise<void> => {
  if (closes.length > 0) await d1.batch([dropCloses(d1, [{ instrumentId }]), insertCloses(d1, instrumentId, closes)]);
};

const insertCloses = (d1: D1Database, instrumentId: string, closes: readonly DayClose[]): D1PreparedStatement => {
  const years = [...Map.groupBy(closes, ([day]) => Number(day.slice(0, 4)))].map(([year, days]) => ({ year, days }));
  return d1
    .prepare(
      `INSERT OR REPLACE INTO closes (instrument_id, year, closes)
       SELECT ?1, value->>'year', value->'days' FROM json_each(?2)
       WHERE EXISTS (SELECT 1 FROM instruments WHERE id = ?1)`,
    )
    .bind(instrumentId, JSON.stringify(years));
};

/** Closes of listings from a year on, oldest first, by listing. */
export const findCloses = async (
  { $client: d1 }: Db,
  instrumentIds: readonly string[],
  fromYear: number,
): Promise<ReadonlyMap<string, DayClose[]>> => {
  const { results } = await d1
    .prepare(
      `SELECT instrument_id AS "id", closes FROM closes
       WHERE instrument_id IN (SELECT value FROM json_each(?1)) AND year >= ?2 ORDER BY instrument_id, year`,
    )
    .bind(JSON.stringify(instrumentIds), fromYear)
    .all<{ id: string; closes: string }>();
  const byId = new Map<string, DayClose[]>();
  for (const { id, closes } of results) byId.set(id, [...(byId.get(id) ?? []), ...Closes.parse(parseJson(closes))]);
  return byId;
};

/** A statement that removes all closes of listings, such as those that a split has made wrong. */
export const dropCloses = (
  d1: D1Database,
  listings: readonly { readonly instrumentId: string }[],
): D1PreparedStatement =>
  d1
    .prepare("DELETE FROM closes WHERE instrument_id IN (SELECT value->>'instrumentId' FROM json_each(?))")
    .bind(JSON.stringify(listings));
