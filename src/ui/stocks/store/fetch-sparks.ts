/** The small line of each stock's last month. It is fetched once the list is there: nobody waits for it. */
import { readAction } from "../../api/call-action.ts";
import { sparkPath } from "../chart/chart-geometry.ts";
import { sparks } from "./sparks.ts";

/** Stocks that are asked for at once, the most that a page has. */
const PAGE_SIZE = 200;

/** Pages at most: nobody scrolls through more rows than that to compare lines. */
const MAX_PAGES = 5;

/** Never rejects: a row without a line is a row all the same. */
export const fetchSparks = async (): Promise<void> => {
  const paths = new Map<string, string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await readAction("list-stocks", { limit: PAGE_SIZE, spark: true, ...(cursor && { cursor }) }).catch(
      () => undefined,
    );
    for (const { id, spark } of answer?.items ?? []) {
      if (spark) paths.set(id, sparkPath(spark));
    }
    cursor = answer?.nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  if (paths.size > 0) sparks.set(paths);
};
