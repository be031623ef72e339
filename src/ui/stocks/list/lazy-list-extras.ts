/** What the list does not need at first. Fetched soon after the list, because the network may be gone later. */
import { lateCode, lazy } from "../../parts/lazy.ts";

const fetchExtras = () => import("./list-extras.tsx");

export const BulkBar = lazy(async () => (await fetchExtras()).BulkBar);
export const ExampleBar = lazy(async () => (await fetchExtras()).ExampleBar);
export const EmptyStart = lazy(async () => (await fetchExtras()).EmptyStart);
export const NoMatch = lazy(async () => (await fetchExtras()).NoMatch);
export const ListMenuEntries = lazy(async () => (await fetchExtras()).ListMenuEntries);
export const PriceCredits = lazy(async () => (await fetchExtras()).PriceCredits);
export const RowMenuEntries = lazy(async () => (await fetchExtras()).RowMenuEntries);
export const StaleBanner = lazy(async () => (await fetchExtras()).StaleBanner);

/** Makes the actions that write to stocks. It can load late: nothing is written before somebody does something. */
export const stockActionsMaker = lateCode(async () => (await fetchExtras()).makeStockActions);

/** Fetches last month's sparklines. Rows do without them if that fails. */
export const fetchLines = (): Promise<void> =>
  fetchExtras().then(
    ({ fetchSparks }) => fetchSparks(),
    () => undefined,
  );

/** Fetches these parts ahead. `ExampleBar` comes in the same file; until then the list keeps a line free for it. */
export const fetchListExtras = (): void => {
  for (const part of [BulkBar, EmptyStart, NoMatch, ListMenuEntries, PriceCredits, RowMenuEntries, StaleBanner])
    void part.preload();
  void stockActionsMaker.fetch();
};
