/** The person's threads, newest first, a page at a time. */
import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/preact-query";
import { useEffect, useMemo } from "preact/hooks";
import type { ThreadView } from "../../../contract/thread.ts";
import { requestJson } from "../../actions/request-json.ts";
import { subscribeLiveEvents } from "../live-events.ts";

type ThreadPage = { readonly threads: readonly ThreadView[]; readonly nextCursor: string | null };

const THREADS_KEY = ["threads"] as const;

/** Kinds that change the list: a thread appears or moves up, its run ends. */
const NEWS: ReadonlySet<string> = new Set(["user_message", "run_start", "run_end"]);

/** Asked again whenever a run of this tab begins or ends. */
export const useThreads = () => {
  const refresh = useRefreshThreads();
  const query = useInfiniteQuery<ThreadPage, Error, InfiniteData<ThreadPage>, typeof THREADS_KEY, string>({
    queryKey: THREADS_KEY,
    queryFn: ({ pageParam, signal }) =>
      requestJson(`/_framework/threads${pageParam === "" ? "" : `?cursor=${encodeURIComponent(pageParam)}`}`, {
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  useEffect(
    () =>
      subscribeLiveEvents((event) => {
        if (NEWS.has(event.type)) refresh();
      }),
    [refresh],
  );
  const threads = useMemo(() => query.data?.pages.flatMap((page) => page.threads), [query.data]);
  return { query, threads };
};

/** Asks for the list anew, after a change of it. */
export const useRefreshThreads = (): (() => void) => {
  const client = useQueryClient();
  return useMemo(() => () => void client.invalidateQueries({ queryKey: THREADS_KEY }), [client]);
};
