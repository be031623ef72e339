/** What the list does not need at first. Fetched soon after the list, as the network may be gone later. */
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

/** Makes what writes to stocks; no list writes before somebody has done something. */
export const stockActionsMaker = lateCode(async () => (await fetchExtras()).makeStockActions);

/** Fetches last month's sparklines. Rows do without them if that fails. */
export const fetchLines = (): Promise<void> =>
  fetchExtras().then(
    ({ fetchSparks }) => fetchSparks(),
    () => undefined,
  );

/** Makes them ready, but for `ExampleBar`: it comes in the same file, and the list keeps a line for it meanwhile. */
export const fetchListExtras = (): void => {
  for (const part of [BulkBar, EmptyStart, NoMatch, ListMenuEntries, PriceCredits, RowMenuEntries, StaleBanner])
    void part.preload();
  void stockActionsMaker.fetch();
};
