/** The small line of each stock's last month. It is fetched once the list is there: nobody waits for it. */
import type { ActionInput, ActionOutput } from "../../../contract/action.ts";
import { readAction } from "../../api/read-action.ts";
import { sparkPath } from "../chart/chart-geometry.ts";
import { sparks } from "./row-state.ts";

/** Stocks per request: the most that a page may have. */
const PAGE_SIZE = 200;

/** Pages at most: nobody scrolls through more rows than that to compare lines. */
const MAX_PAGES = 5;

/**
 * When lines that are still missing are asked for again, in ms after the previous answer. The server fetches closes in the background: the
 * first few come within seconds, the others with later rounds of prices, and show on a later visit.
 */
const WAITS_MS = [3_000, 12_000] as const;

/** Counts the calls: only the newest one goes on, because it knows of more stocks. */
let newest = 0;

/** Never rejects: a row without a line is a row all the same. */
export const fetchSparks = async (): Promise<void> => {
  newest += 1;
  const own = newest;
  for (const waitMs of [...WAITS_MS, undefined]) {
    const isComplete = await readSparks();
    if (isComplete || waitMs === undefined) return;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    if (own !== newest) return;
  }
};

/** Reads a page of `list-stocks`. */
type ReadPage = (
  input: ActionInput<"list-stocks">,
) => Promise<Pick<ActionOutput<"list-stocks">, "items" | "nextCursor">>;

/**
 * Reads the lines of all rows, once. True if every page came and each stock on it that has a source has a line. When a page fails, the
 * lines that are shown of it and of later ones stay.
 */
export const readSparks = async (read: ReadPage = (input) => readAction("list-stocks", input)): Promise<boolean> => {
  const paths = new Map<string, string>();
  let cursor: string | undefined;
  let linked = 0;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await read({ limit: PAGE_SIZE, spark: true, ...(cursor && { cursor }) }).catch(() => undefined);
    if (answer === undefined) {
      sparks.set(new Map([...sparks.get(), ...paths]));
      return false;
    }
    for (const { id, spark, instrument } of answer.items) {
      if (instrument) linked += 1;
      if (spark) paths.set(id, sparkPath(spark));
    }
    cursor = answer.nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  if (paths.size > 0) sparks.set(paths);
  return paths.size >= linked;
};
