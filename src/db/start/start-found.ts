/** What the batch of a turn start finds out, and how a start that died on its way finds it again. */
import { HarnessSessionId } from "../../contract/ids.ts";
import type { Db } from "../db.ts";
import { withTurnTables } from "../ensure-turn-tables.ts";
import { storedFacts } from "./start-conditions.ts";

/** What a start finds out about its thread and its model. `modelFacts`: what is stored about the model, as JSON. */
export type StartFound = {
  readonly sessionId: HarnessSessionId;
  /** The thread's first session, if that is another one. */
  readonly queueSessionId: HarnessSessionId | undefined;
  /** Whether another harness has had turns of the thread. */
  readonly hasOtherHarness: boolean;
  readonly modelFacts: string | undefined;
  /** Where the session's first turn, or the last one started by an earlier release, was to work; undefined for a new session. */
  readonly workspaceDir: string | undefined;
};

/** A `StartFound` as a row. */
export type Found = {
  session_id: string;
  model_facts: string | null;
  first_session_id: string | null;
  has_other: number;
  workspace_dir: string | null;
};

export const readFound = ({
  session_id,
  model_facts,
  first_session_id,
  has_other,
  workspace_dir,
}: Found): StartFound => {
  const sessionId = HarnessSessionId.parse(session_id);
  const first = first_session_id === null ? sessionId : HarnessSessionId.parse(first_session_id);
  return {
    ...{ sessionId, queueSessionId: first === sessionId ? undefined : first },
    ...{ hasOtherHarness: has_other === 1, modelFacts: model_facts ?? undefined },
    workspaceDir: workspace_dir ?? undefined,
  };
};

/** A start that died on its way. `isReplaced`: the person has since gone back before its turn. */
type DiedStart = StartFound & { readonly harness: string; readonly isReplaced: boolean };

/** What a start that died on its way had found, if it left its row; undefined when that or the session is gone. */
export const findStarted = async (
  db: Db,
  { owner, runId, model, modelFamily }: Readonly<Record<"owner" | "runId" | "model" | "modelFamily", string>>,
): Promise<DiedStart | undefined> => {
  const statement = db.$client
    .prepare(
      `SELECT runs.session_id, own.harness, own.workspace_dir, ${storedFacts("?3", "?4")} AS model_facts,
         (SELECT id FROM harness_sessions WHERE owner_email = ?1 AND thread_id = runs.thread_id
           ORDER BY rowid LIMIT 1) AS first_session_id,
         EXISTS (SELECT 1 FROM harness_sessions WHERE owner_email = ?1 AND thread_id = runs.thread_id
           AND harness <> own.harness) AS has_other,
         (SELECT is_replaced FROM run_marks WHERE id = runs.run_id || ':' || runs.thread_id) AS is_replaced
       FROM runs JOIN harness_sessions AS own ON own.id = runs.session_id
       WHERE runs.owner_email = ?1 AND runs.run_id = ?2`,
    )
    .bind(owner, runId, model, modelFamily);
  type Row = Found & { readonly harness: string; readonly is_replaced: number | null };
  const row = await withTurnTables(db, () => statement.first<Row>());
  return row === null ? undefined : { ...readFound(row), harness: row.harness, isReplaced: row.is_replaced === 1 };
};
