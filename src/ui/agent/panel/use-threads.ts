/** The person's threads, newest first, a page at a time; and what can be done with one. */
import { type InfiniteData, useInfiniteQuery, useQueryClient } from "@tanstack/preact-query";
import { useEffect, useMemo } from "preact/hooks";
import type { RuleView } from "../../../contract/permission.ts";
import type { ThreadCompaction, ThreadView } from "../../../contract/thread.ts";
import { ignoreGone } from "../../api/ignore-gone.ts";
import { requestJson } from "../../api/request-json.ts";
import { threadPath } from "../../api/thread-path.ts";
import { subscribeLiveEvents } from "../stream/live-events.ts";
import type { CurrentThread } from "./current-thread.ts";
import { THREADS_KEY, THREADS_QUERY, type ThreadPage } from "./list-threads.ts";

/** Events that change the list: a thread appears or moves up, or its run ends. */
const NEWS: ReadonlySet<string> = new Set(["user_message", "run_start", "run_end"]);

/** When the list is read again after a chat's first turn, in ms: the model is asked for a title then, and takes a second or a few. */
const TITLE_AFTER_MS = [2_500, 8_000] as const;

/** Refreshed whenever a run in this tab starts or ends. */
export const useThreads = () => {
  const refresh = useRefreshThreads();
  const query = useInfiniteQuery<ThreadPage, Error, InfiniteData<ThreadPage>, typeof THREADS_KEY, string>(
    THREADS_QUERY,
  );
  useEffect(() => {
    const firstRuns = new Set<string>();
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const stop = subscribeLiveEvents((event, { runId, isLive }) => {
      if (NEWS.has(event.type)) refresh();
      if (event.type === "run_start" && !event.resumed) firstRuns.add(runId);
      if (event.type !== "run_end" || !isLive || !firstRuns.has(runId)) return;
      for (const afterMs of TITLE_AFTER_MS) timers.add(setTimeout(refresh, afterMs));
    });
    return () => {
      stop();
      for (const timer of timers) clearTimeout(timer);
    };
  }, [refresh]);
  const threads = useMemo(() => query.data?.pages.flatMap((page) => page.threads), [query.data]);
  return { query, threads };
};

/** Reloads the list after a change. */
export const useRefreshThreads = (): (() => void) => {
  const client = useQueryClient();
  return useMemo(() => () => void client.invalidateQueries({ queryKey: THREADS_KEY }), [client]);
};

/** The thread's title. Without a message it is `New chat`, and for a thread that the list does not have, or not yet, just `Chat`. */
export const threadTitle = (threads: readonly ThreadView[] | undefined, { threadId, isNew }: CurrentThread): string =>
  threads?.find((thread) => thread.threadId === threadId)?.title ?? (isNew ? "New chat" : "Chat");

/** `title` has 1 to 200 characters. */
export const renameThread = async (threadId: string, title: string): Promise<void> => {
  await requestJson(threadPath(threadId), { method: "PATCH", body: { title } });
};

/** Stops its runs and deletes everything in it. One that is gone already counts as deleted. */
export const deleteThread = async (threadId: string): Promise<void> => {
  await requestJson(threadPath(threadId), { method: "DELETE" }).catch(ignoreGone);
};

/** What is always allowed in the thread. */
export const readRules = async (threadId: string, signal: AbortSignal): Promise<readonly RuleView[]> =>
  (await requestJson<{ readonly rules: readonly RuleView[] }>(`${threadPath(threadId)}/rules`, { signal })).rules;

/** Has earlier messages summarized; takes as long as the model does. */
export const compactThread = async (threadId: string): Promise<ThreadCompaction> =>
  await requestJson(`${threadPath(threadId)}/compact`, { method: "POST" });

/** Revokes a rule: the agent asks again from then on. A rule that is gone already counts as revoked. */
export const revokeRule = async (threadId: string, ruleId: string): Promise<void> => {
  await requestJson(`${threadPath(threadId)}/rules/${ruleId}`, { method: "DELETE" }).catch(ignoreGone);
};
