/** Parts of the list that nobody needs at first, fetched once the list is there: without a network they could not be later. */
import { lazy } from "../../parts/lazy.ts";

export const BulkBar = lazy(async () => (await import("./bulk-bar.tsx")).BulkBar);
export const FirstRun = lazy(async () => (await import("./first-run.tsx")).FirstRun);
export const NoMatch = lazy(async () => (await import("./no-match.tsx")).NoMatch);
export const ListMenuEntries = lazy(async () => (await import("./list-menu-entries.tsx")).ListMenuEntries);
export const RowMenuEntries = lazy(async () => (await import("./row-menu-entries.tsx")).RowMenuEntries);

/** Fetches all of them. */
export const fetchLateParts = (): void => {
  for (const part of [BulkBar, FirstRun, NoMatch, ListMenuEntries, RowMenuEntries]) void part.preload();
};
