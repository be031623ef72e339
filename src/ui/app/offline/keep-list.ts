/**
 * Keeps the last list of stocks for when there is no network, and shows it with its age. One copy, of the person who is signed in;
 * it is dropped when nobody is (`ui/account/person`; after a 401, `ui/app/app`).
 */
import { hashKey, type QueryClient, type RefetchOptions } from "@tanstack/preact-query";
import { keptPerson, shownPerson } from "../../account/person.ts";
import { signedOut } from "../../api/request-json.ts";
import { WORDS_LOCALE } from "../../format/format-number.ts";
import { KEPT_CACHE } from "../../state/kept-cache.ts";
import { STOCK_LIST_KEY, type StockList } from "../../stocks/store/stock-store.ts";

/** The copy's key in the cache: a path, which is never requested. */
const CACHE_KEY = "/kept-list";

/** Changes within this time are written together, in ms. */
const WRITE_PAUSE_MS = 500;

/** How long the server has to answer with a list before the kept one is shown meanwhile, in ms (decision 0223). */
const LATE_MS = 4_000;

/**
 * How often, in ms, a list that may be old is read again while the browser believes that it is online. The list's age is then put into
 * words again too, because the words name a day once midnight has passed.
 */
const RETRY_MS = 15_000;

type Kept = { readonly owner: string; readonly atMs: number; readonly list: StockList };

/** Starts keeping and showing. Returns a function that stops it. */
export const keepList = (client: QueryClient): (() => void) => {
  if (!("caches" in window && "serviceWorker" in navigator)) return () => {};
  let writing: ReturnType<typeof setTimeout> | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let retrying: ReturnType<typeof setTimeout> | undefined;
  const state = () => client.getQueryState<StockList>(STOCK_LIST_KEY);
  const look = (): void => {
    const now = state();
    if (now === undefined) return;
    const { data, status, fetchStatus } = now;
    if (data === undefined && (status === "error" || fetchStatus === "paused")) void showKept(client);
    else if (data === undefined) waiting ??= setTimeout(() => void showKept(client), LATE_MS);
    // A slow read is not begun again, or it would never end.
    if (data?.asOf !== undefined) retryLater();
    else if (data?.isComplete) writing ??= setTimeout(write, WRITE_PAUSE_MS);
  };
  const retryLater = (): void => {
    retrying ??= setTimeout(() => retry({ cancelRefetch: false }), RETRY_MS);
  };
  const retry = (options: RefetchOptions): void => {
    clearTimeout(retrying);
    retrying = undefined;
    if (state()?.data?.asOf === undefined) return;
    label(client);
    retryLater();
    if (navigator.onLine) void client.refetchQueries({ queryKey: STOCK_LIST_KEY }, options);
  };
  const write = (): void => {
    writing = undefined;
    const now = state();
    if (now?.data?.isComplete && now.data.asOf === undefined) void keep(now.data, now.dataUpdatedAt);
  };
  const onOffline = (): void => label(client);
  const onOnline = (): void => retry({ cancelRefetch: true });
  // Whose list it is may be known only after the list.
  const hashes = new Set([hashKey(STOCK_LIST_KEY), hashKey(["session"])]);
  const stop = client.getQueryCache().subscribe(({ query }) => hashes.has(query.queryHash) && look());
  addEventListener("offline", onOffline);
  addEventListener("online", onOnline);
  if (!navigator.onLine) label(client);
  look();
  return () => {
    stop();
    clearTimeout(writing);
    clearTimeout(waiting);
    clearTimeout(retrying);
    removeEventListener("offline", onOffline);
    removeEventListener("online", onOnline);
  };
};

/** Gives the list that is shown its age: it was read when the network was there. */
const label = (client: QueryClient): void => {
  const updatedAt = client.getQueryState(STOCK_LIST_KEY)?.dataUpdatedAt;
  if (!updatedAt) return;
  const age = (list: StockList | undefined): StockList | undefined => {
    const aged = list && withAge(list, list.asOfMs ?? updatedAt);
    // Writing the same list again would take away what is said of a read that failed.
    return aged?.asOf === list?.asOf ? undefined : aged;
  };
  client.setQueryData<StockList>(STOCK_LIST_KEY, age, { updatedAt });
};

const keep = async (list: StockList, atMs: number): Promise<void> => {
  const owner = shownPerson();
  // Without a service worker the app cannot be opened without a network.
  if (owner === undefined || navigator.serviceWorker.controller === null) return;
  const cache = await caches.open(KEPT_CACHE);
  await cache.put(CACHE_KEY, new Response(JSON.stringify({ owner, atMs, list } satisfies Kept)));
  // Somebody has left meanwhile, here or in another tab: their copy was dropped before this one was written.
  if (signedOut.get() || keptPerson() !== owner) await caches.delete(KEPT_CACHE);
};

const showKept = async (client: QueryClient): Promise<void> => {
  const answer = await caches.match(CACHE_KEY, { cacheName: KEPT_CACHE });
  const kept: Kept | undefined = await answer?.json();
  if (kept === undefined || kept.owner !== keptPerson() || signedOut.get()) return;
  if (client.getQueryData(STOCK_LIST_KEY) !== undefined) return;
  client.setQueryData<StockList>(STOCK_LIST_KEY, withAge(kept.list, kept.atMs), { updatedAt: kept.atMs });
};

const withAge = (list: StockList, asOfMs: number): StockList => ({
  ...list,
  asOfMs,
  asOf: asOfWords(asOfMs, new Date()),
});

/** `14:05`, or with the day when that was not today. */
const asOfWords = (atMs: number, now: Date): string => {
  const at = new Date(atMs);
  const isToday = at.toDateString() === now.toDateString();
  const time = { hour: "2-digit", minute: "2-digit" } as const;
  return at.toLocaleString(WORDS_LOCALE, isToday ? time : { day: "numeric", month: "short", ...time });
};
