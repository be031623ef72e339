/** What the list does not need at first, fetched once the list is there: without a network it could not be later. */
import { lateCode, lazy } from "../../parts/lazy.ts";

const fetchExtras = () => import("./list-extras.tsx");

export const BulkBar = lazy(async () => (await fetchExtras()).BulkBar);
export const ExampleBar = lazy(async () => (await fetchExtras()).ExampleBar);
export const FirstRun = lazy(async () => (await fetchExtras()).FirstRun);
export const NoMatch = lazy(async () => (await fetchExtras()).NoMatch);
export const ListMenuEntries = lazy(async () => (await fetchExtras()).ListMenuEntries);
export const PriceCredits = lazy(async () => (await fetchExtras()).PriceCredits);
export const RowMenuEntries = lazy(async () => (await fetchExtras()).RowMenuEntries);
export const StaleBanner = lazy(async () => (await fetchExtras()).StaleBanner);

/** Makes what writes to stocks; no list writes before somebody has done something. */
export const stockActionsMaker = lateCode(async () => (await fetchExtras()).makeStockActions);

/** Fetches the lines of the last month, without which rows are rows all the same. */
export const fetchLines = (): Promise<void> =>
  fetchExtras().then(
    ({ fetchSparks }) => fetchSparks(),
    () => undefined,
  );

/** Makes all of them ready. */
export const fetchListExtras = (): void => {
  for (const part of [BulkBar, FirstRun, NoMatch, ListMenuEntries, PriceCredits, RowMenuEntries, StaleBanner])
    void part.preload();
  void stockActionsMaker.fetch();
};
