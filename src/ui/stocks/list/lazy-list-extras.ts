/** What the list does not need at first, fetched once the list is there: without a network it could not be later. */
import { lazy } from "../../parts/lazy.ts";

const fetchExtras = () => import("./list-extras.ts");

export const BulkBar = lazy(async () => (await fetchExtras()).BulkBar);
export const FirstRun = lazy(async () => (await fetchExtras()).FirstRun);
export const NoMatch = lazy(async () => (await fetchExtras()).NoMatch);
export const ListMenuEntries = lazy(async () => (await fetchExtras()).ListMenuEntries);
export const RowMenuEntries = lazy(async () => (await fetchExtras()).RowMenuEntries);

/** Makes all of them ready. */
export const fetchListExtras = (): void => {
  for (const part of [BulkBar, FirstRun, NoMatch, ListMenuEntries, RowMenuEntries]) void part.preload();
};
