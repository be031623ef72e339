/** Threads and runs as their lists show them, from D1 and for live runs from their objects; and the search among them. */
import { AppError } from "../contract/app-error.ts";
import { foldText, searchWords } from "../contract/fold-text.ts";
import { type OwnerEmail, RunId, ThreadId } from "../contract/ids.ts";
import { groupDigits } from "../contract/plain-text.ts";
import { isTerminal } from "../contract/run.ts";
import type { FoundThread, ThreadRunView, ThreadView } from "../contract/thread.ts";
import { eventsPath } from "../contract/turn.ts";
import type { Db } from "../db/db.ts";
import { listTitles } from "../db/list/thread-titles.ts";
import { listThreadRuns } from "../db/runs.ts";
import { MAX_THREADS_PER_OWNER } from "../db/start/start-conditions.ts";
import { listThreads } from "../db/threads.ts";
import type { Env } from "../env.ts";
import { sumCosts } from "../model/token-prices.ts";
import { reach } from "../objects/reach.ts";
import { searchOf } from "../search/search-rpc.ts";
import { type TrueStatus, trueStatuses } from "./true-statuses.ts";

/** The refusal of a chat beyond the limit. */
export const tooManyThreads = (): AppError =>
  new AppError(409, `You have ${groupDigits(MAX_THREADS_PER_OWNER)} chats, the limit. Delete some first.`);

/** A page of a list. The next one begins after `last`, which is undefined on the last page. */
export type Page<View> = {
  readonly views: readonly View[];
  readonly last: { readonly ms: number; readonly id: string } | undefined;
};

/** Reads one row more than the page has: only that row shows that another page follows. */
const oneMore = <Limits extends { readonly limit: number }>(page: Limits): Limits => ({
  ...page,
  limit: page.limit + 1,
});

const cutPage = <Row>(found: readonly Row[], { limit }: { readonly limit: number }) => {
  const rows = found.slice(0, limit);
  return { rows, last: found.length > limit ? rows.at(-1) : undefined };
};

/** A page of the owner's threads, newest first. */
export const threadPage = async (
  env: Env,
  db: Db,
  owner: OwnerEmail,
  page: Parameters<typeof listThreads>[2],
): Promise<Page<ThreadView>> => {
  const { rows: found, open } = await listThreads(db, owner, oneMore(page));
  const { rows, last } = cutPage(found, page);
  const shown = Map.groupBy(open, ({ threadId }) => threadId);
  const asked = rows.flatMap(({ threadId }) => shown.get(threadId) ?? []);
  const statuses = await trueStatuses(env, db, asked, Date.now());
  return {
    views: rows.map((row): ThreadView => {
      const runs = (shown.get(row.threadId) ?? []).map(({ runId }) => ({ runId, ...trueOf(statuses, runId) }));
      // The runs are in order, oldest first, so this is the run at work. Among turns of the same instant, the session may have another one
      // at its head.
      const active = runs.find(({ status }) => !isTerminal(status));
      const known = [row.costUsd, ...runs.map(({ costUsd }) => costUsd)].filter((cost) => cost !== null);
      return {
        threadId: ThreadId.parse(row.threadId),
        title: row.title,
        updatedAt: isoTime(row.updatedAtMs),
        activeRunId: active === undefined ? null : RunId.parse(active.runId),
        status: active?.status ?? null,
        // For runs that have ended but are not in D1's sum yet, their objects reported the cost.
        costUsd: known.length === 0 ? null : sumCosts(known),
      };
    }),
    last: last && { ms: last.updatedAtMs, id: last.threadId },
  };
};

/** A page of a thread's runs. */
export const runPage = async (
  env: Env,
  db: Db,
  owner: OwnerEmail,
  threadId: ThreadId,
  page: Parameters<typeof listThreadRuns>[3],
): Promise<Page<ThreadRunView>> => {
  const { rows, last } = cutPage(await listThreadRuns(db, owner, threadId, oneMore(page)), page);
  const statuses = await trueStatuses(env, db, rows, Date.now());
  return {
    views: rows.map((row): ThreadRunView => {
      const { status, costUsd } = trueOf(statuses, row.runId);
      return {
        runId: RunId.parse(row.runId),
        status,
        createdAt: isoTime(row.createdAtMs),
        events: eventsPath(row.runId),
        costUsd: row.costUsd ?? costUsd,
        ...(row.isReplaced && { replaced: true as const }),
        ...(row.threadId !== threadId && { inherited: true as const }),
        ...(row.isUndone && { undone: true as const }),
      };
    }),
    last: last && { ms: last.createdAtMs, id: last.runId },
  };
};

/** Most threads that a search returns. Whoever looks for another one adds a word. */
const MAX_FOUND = 50;

/**
 * Finds threads by their titles, in D1, and by what was said in them, in the owner's search object. Newest first, each with the text around
 * what was found, or with its title if only that was found.
 */
export const findThreads = async (env: Env, db: Db, owner: OwnerEmail, query: string): Promise<FoundThread[]> => {
  const { stub } = await searchOf(env.SEARCH, owner);
  const [found, titles] = await Promise.all([reach(async () => await stub.find(query)), listTitles(db, owner)]);
  // Titles come newest first, and no more threads are shown than these.
  const matches = new Map<string, string>(titlesWith(titles, searchWords(query)).slice(0, MAX_FOUND));
  for (const { threadId, text } of found) matches.set(threadId, text);
  if (matches.size === 0) return [];
  const { views } = await threadPage(env, db, owner, {
    after: undefined,
    limit: MAX_FOUND,
    among: [...matches.keys()],
  });
  return views.map((view) => ({ ...view, match: matches.get(view.threadId) ?? view.title }));
};

const titlesWith = (titles: Awaited<ReturnType<typeof listTitles>>, words: readonly string[]): [string, string][] =>
  titles.flatMap(({ threadId, title }) => {
    const folded = foldText(title);
    const isFound = words.length > 0 && words.every((word) => folded.includes(word));
    return isFound ? [[threadId, title]] : [];
  });

const trueOf = (statuses: ReadonlyMap<string, TrueStatus>, runId: string): TrueStatus =>
  statuses.get(runId) ?? { status: "queued", costUsd: null };

const isoTime = (ms: number): string => new Date(ms).toISOString();
