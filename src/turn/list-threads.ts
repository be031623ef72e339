/** Threads and runs as their lists show them: what D1 holds, and what the objects of live runs say. */
import { type OwnerEmail, RunId, ThreadId } from "../contract/ids.ts";
import { isTerminal } from "../contract/run.ts";
import type { ThreadRunView, ThreadView } from "../contract/thread.ts";
import type { Db } from "../db/db.ts";
import { listThreadRuns } from "../db/runs.ts";
import { listThreads, type ThreadCursor } from "../db/threads.ts";
import type { Env } from "../env.ts";
import { sumCosts } from "../model/prices.ts";
import { eventsPath } from "./events-path.ts";
import { type TrueStatus, trueStatuses } from "./true-statuses.ts";

/** A list, and where its next page begins: behind `last`, undefined when there is none. */
export type Page<View> = {
  readonly views: readonly View[];
  readonly last: { readonly ms: number; readonly id: string } | undefined;
};

/** A page of the owner's threads, newest first. */
export const threadPage = async (
  env: Env,
  db: Db,
  owner: OwnerEmail,
  page: { readonly after: ThreadCursor | undefined; readonly limit: number },
): Promise<Page<ThreadView>> => {
  const { rows, open } = await listThreads(db, owner, page);
  const shown = Map.groupBy(open, ({ threadId }) => threadId);
  const asked = rows.flatMap(({ threadId }) => shown.get(threadId) ?? []);
  const statuses = await trueStatuses(env, db, asked, Date.now());
  const last = rows.length === page.limit ? rows.at(-1) : undefined;
  return {
    views: rows.map((row): ThreadView => {
      const runs = (shown.get(row.threadId) ?? []).map(({ runId }) => ({ runId, ...trueOf(statuses, runId) }));
      // Oldest first: the first one still open is the one whose turn it is.
      const active = runs.find(({ status }) => !isTerminal(status));
      const known = [row.costUsd, ...runs.map(({ costUsd }) => costUsd)].filter((cost) => cost !== null);
      return {
        threadId: ThreadId.parse(row.threadId),
        title: row.title,
        updatedAt: isoTime(row.updatedAtMs),
        activeRunId: active === undefined ? null : RunId.parse(active.runId),
        // Of runs that have ended and are not in D1's sum yet the objects have told.
        costUsd: known.length === 0 ? null : sumCosts(known),
      };
    }),
    last: last && { ms: last.updatedAtMs, id: last.threadId },
  };
};

/** A page of a thread's runs, oldest first. */
export const runPage = async (
  env: Env,
  db: Db,
  owner: OwnerEmail,
  threadId: ThreadId,
  page: Parameters<typeof listThreadRuns>[3],
): Promise<Page<ThreadRunView>> => {
  const rows = await listThreadRuns(db, owner, threadId, page);
  const statuses = await trueStatuses(env, db, rows, Date.now());
  const last = rows.length === page.limit ? rows.at(-1) : undefined;
  return {
    views: rows.map((row): ThreadRunView => {
      const { status, costUsd } = trueOf(statuses, row.runId);
      return {
        runId: RunId.parse(row.runId),
        status,
        createdAt: isoTime(row.createdAtMs),
        events: eventsPath(row.runId),
        costUsd: row.costUsd ?? costUsd,
      };
    }),
    last: last && { ms: last.createdAtMs, id: last.runId },
  };
};

const trueOf = (statuses: ReadonlyMap<string, TrueStatus>, runId: string): TrueStatus =>
  statuses.get(runId) ?? { status: "queued", costUsd: null };

const isoTime = (ms: number): string => new Date(ms).toISOString();
