/** The list of threads as a query: for views that show it, and read ahead for those that only say how many threads ask. */
import type { QueryClient } from "@tanstack/preact-query";
import type { ThreadView } from "../../../contract/thread.ts";
import { requestJson } from "../../api/request-json.ts";
import { beginListing, noteListed } from "../stream/asking-threads.ts";

export type ThreadPage = { readonly threads: readonly ThreadView[]; readonly nextCursor: string | null };

export const THREADS_KEY = ["threads"] as const;

const readPage = async (cursor: string, signal: AbortSignal): Promise<ThreadPage> => {
  beginListing();
  const query = cursor === "" ? "" : `?cursor=${encodeURIComponent(cursor)}`;
  const page = await requestJson<ThreadPage>(`/_framework/threads${query}`, { signal });
  // Before anything is rendered from the page, so that a thread that asks is never shown as working.
  noteListed(page.threads, cursor === "");
  return page;
};

/** Pages, newest threads first. */
export const THREADS_QUERY = {
  queryKey: THREADS_KEY,
  queryFn: ({ pageParam, signal }: { readonly pageParam: string; readonly signal: AbortSignal }) =>
    readPage(pageParam, signal),
  initialPageParam: "",
  getNextPageParam: ({ nextCursor }: ThreadPage) => nextCursor,
};

let stop = (): void => {};

/**
 * Reads the list now, unless it was read in the last 30 s, and again when somebody comes back to the page: they may have answered on
 * another device. Every screen uses it to say how many questions are open. Never rejects.
 */
export const watchThreads = (client: QueryClient): void => {
  stop();
  const readAgain = (): void => {
    if (!document.hidden) void client.prefetchInfiniteQuery({ ...THREADS_QUERY, staleTime: 0 });
  };
  document.addEventListener("visibilitychange", readAgain);
  stop = () => document.removeEventListener("visibilitychange", readAgain);
  void client.prefetchInfiniteQuery(THREADS_QUERY);
};
