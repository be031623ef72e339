/** The rows of turns in one person's search. All in the caller's transaction. */
import type { BranchedTurns } from "./search-rpc.ts";

/** Turns that are searched; beyond them the oldest are left out. With texts of usual length this is 100 MB. */
const MAX_TURNS = 50_000;

/**
 * What a branch takes in with one call. `length` is in characters, of which some million are indexed in a second. The texts of a whole
 * chat can be more than the memory of an object, and indexing them takes longer than a call.
 */
const BRANCH_PIECE = { turns: 1_000, length: 2_000_000 };

/** A run's id is a UUID. */
const RUN_ID_LENGTH = 36;

/** Inserts a turn, once under each key: a run's id, or for a turn that a branch inherits, `<run_id>:<thread_id>`. */
export const insertTurn = (
  sql: SqlStorage,
  threadId: string,
  key: string,
  texts: readonly [prompt: string, answer: string],
): void => {
  const insert = "INSERT INTO turn (thread_id, run_id) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id";
  const [row] = sql.exec<{ id: number }>(insert, threadId, key);
  if (row === undefined) return;
  sql.exec("INSERT INTO turn_text (rowid, prompt, answer) VALUES (?, ?, ?)", row.id, ...texts);
  removeTurns(sql, "id <= ?", row.id - MAX_TURNS);
};

/** Removes turns with their texts. `which`: a condition in SQL with one parameter. */
export const removeTurns = (sql: SqlStorage, which: string, value: string | number): void => {
  const rows = [...sql.exec<{ id: number }>(`SELECT id FROM turn WHERE ${which}`, value)];
  for (const { id } of rows) {
    sql.exec("DELETE FROM turn_text WHERE rowid = ?", id);
    sql.exec("DELETE FROM turn WHERE id = ?", id);
  }
};

/** Copies turns of a thread for a branch of it, in order, those that are not there yet. Returns whether there are more. */
export const copyTurns = (sql: SqlStorage, { from, to, runIds }: BranchedTurns): boolean => {
  const missing = sql.exec<{ id: number; key: string }>(
    `SELECT id, substr(run_id, 1, ${RUN_ID_LENGTH}) || ':' || ?2 AS key FROM turn
     WHERE thread_id = ?1 AND substr(run_id, 1, ${RUN_ID_LENGTH}) IN (SELECT value FROM json_each(?3))
       AND NOT EXISTS (SELECT 1 FROM turn AS copy WHERE copy.run_id = substr(turn.run_id, 1, ${RUN_ID_LENGTH}) || ':' || ?2)
     ORDER BY id LIMIT ${BRANCH_PIECE.turns + 1}`,
    ...[from, to, JSON.stringify(runIds)],
  );
  let length = 0;
  for (const [nth, { id, key }] of [...missing].entries()) {
    if (nth === BRANCH_PIECE.turns || length >= BRANCH_PIECE.length) return true;
    length += copyTurn(sql, id, to, key);
  }
  return false;
};

/** Copies one, whose texts stay in SQLite, and returns their length. */
const copyTurn = (sql: SqlStorage, id: number, threadId: string, key: string): number => {
  // Earlier copies may have made it one of the oldest, which are left out.
  const insert = "INSERT INTO turn (thread_id, run_id) SELECT ?, ? FROM turn WHERE id = ? RETURNING id";
  const [row] = sql.exec<{ id: number }>(insert, threadId, key, id);
  if (row === undefined) return 0;
  sql.exec(
    "INSERT INTO turn_text (rowid, prompt, answer) SELECT ?, prompt, answer FROM turn_text WHERE rowid = ?",
    ...[row.id, id],
  );
  const measure = "SELECT length(prompt) + length(answer) AS length FROM turn_text WHERE rowid = ?";
  const { length } = sql.exec<{ length: number }>(measure, row.id).one();
  removeTurns(sql, "id <= ?", row.id - MAX_TURNS);
  return length;
};
