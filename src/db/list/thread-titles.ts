/** The titles of threads: the first title, the one that the model makes to replace it, and all of a person's titles, to search them. */

import { desc, eq } from "drizzle-orm";
import type { OwnerEmail, RunId, ThreadId } from "../../contract/ids.ts";
import { cutText } from "../../contract/plain-text.ts";
import type { CostUsd } from "../../contract/run.ts";
import { countCost, type DayCost } from "../day-costs.ts";
import type { Db } from "../db.ts";
import { withTurnTables } from "../ensure-turn-tables.ts";
import { TITLE_OF, toPicoUsd } from "../pico-usd.ts";
import { threads } from "../turn-tables.ts";

/** Longest title made from a prompt, in UTF-16 units. */
const TITLE_LENGTH = 80;

/** Most titles that are read: as many chats as a person can have. */
const MAX_TITLES = 5_000;

/** The titles of the owner's threads, newest first. */
export const listTitles = async (
  db: Db,
  owner: OwnerEmail,
): Promise<readonly { readonly threadId: string; readonly title: string }[]> =>
  await withTurnTables(db, () =>
    db
      .select({ threadId: threads.threadId, title: threads.title })
      .from(threads)
      .where(eq(threads.ownerEmail, owner))
      .orderBy(desc(threads.updatedAtMs), desc(threads.threadId))
      .limit(MAX_TITLES),
  );

/** The beginning of the prompt on one line: a thread's title until somebody renames it. */
export const titleOf = (prompt: string): string => {
  const line = prompt.replace(/\s+/g, " ").trim();
  return line.length <= TITLE_LENGTH ? line : `${cutText(line, TITLE_LENGTH - 1)}…`;
};

/** A thread by its first run. */
type FirstRun = {
  readonly runId: RunId;
  readonly ownerEmail: OwnerEmail;
  readonly threadId: ThreadId;
  readonly prompt: string;
};

/** Whether the thread still has the title that was made of its first prompt: nobody has renamed or deleted it. */
export const isUntitled = async ({ $client: d1 }: Db, { ownerEmail, threadId, prompt }: FirstRun): Promise<boolean> => {
  const found = await d1
    .prepare("SELECT 1 FROM threads WHERE owner_email = ?1 AND thread_id = ?2 AND title = ?3")
    .bind(ownerEmail, threadId, titleOf(prompt))
    .first();
  return found !== null;
};

/** What asking for a title cost. `day` is set where a day has a budget. */
type TitleCost = { readonly costUsd: CostUsd | null; readonly day: DayCost | undefined };

/**
 * Stores the title, if there is one and nobody has given the thread another one by now. Stores what it cost as well, apart from the cost of
 * the thread's first run, because that is what `run_end` says. Call it once the run's end is recorded.
 */
export const titleThread = async (
  db: Db,
  { runId, ownerEmail, threadId, prompt }: FirstRun,
  title: string | undefined,
  { costUsd, day }: TitleCost,
): Promise<void> => {
  const { $client: d1 } = db;
  const statements = [
    ...(title === undefined
      ? []
      : [
          d1
            .prepare("UPDATE threads SET title = ?4 WHERE owner_email = ?1 AND thread_id = ?2 AND title = ?3")
            .bind(ownerEmail, threadId, titleOf(prompt), title),
        ]),
    ...(costUsd === null
      ? []
      : [
          d1
            .prepare(
              `INSERT INTO run_costs (owner_email, thread_id, run_id, cost_pico_usd)
               SELECT owner_email, thread_id, '${TITLE_OF}' || run_id, CAST(?2 AS INTEGER) FROM runs WHERE run_id = ?1
               ON CONFLICT DO UPDATE SET cost_pico_usd = cost_pico_usd + excluded.cost_pico_usd`,
            )
            .bind(runId, toPicoUsd(costUsd)),
        ]),
    ...(day === undefined ? [] : [countCost(db, day)]),
  ];
  if (statements.length > 0) await withTurnTables(db, () => d1.batch(statements));
};
