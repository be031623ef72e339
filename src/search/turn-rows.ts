/** The rows of turns in one person's search. All in the caller's transaction. */
import type { BranchedTurns } from "./search-rpc.ts";

/** Turns that are searched; beyond them the oldest are left out. With texts of usual length this is 100 MB. */
const MAX_TURNS = 50_000;

/**
 * How much one call adds for a branch, or removes. `length` is in characters, of which some million are indexed in a second. The
 * texts of a whole chat can be more than the memory of an object, and indexing them takes longer than a call.
 */
const PIECE = { turns: 1_000, length: 2_000_000 };

/** How many times as long removing a text takes as adding it, since nothing of it may stay on the disk (`secure-delete`). */
const REMOVAL_COST = 10;

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
  removeOldest(sql, row.id);
};

/** Removes the turn that is beyond the limit once there is a turn of this id, if there is one. Returns the length of its texts. */
const removeOldest = (sql: SqlStorage, newestId: number): number =>
  removePiece(sql, "turn.id <= ?", newestId - MAX_TURNS).length;

/** Removes turns with their texts, one piece at a time. `which`: a condition in SQL with one parameter. Returns whether there are more. */
export const removeTurns = (sql: SqlStorage, which: string, value: string): boolean =>
  removePiece(sql, which, value).isMore;

const removePiece = (sql: SqlStorage, which: string, value: string | number) => {
  const rows = sql.exec<{ id: number; length: number }>(
    `SELECT turn.id, length(prompt) + length(answer) AS length FROM turn JOIN turn_text ON turn_text.rowid = turn.id
     WHERE ${which} ORDER BY turn.id LIMIT ${PIECE.turns + 1}`,
    value,
  );
  let length = 0;
  for (const [nth, row] of [...rows].entries()) {
    if (nth === PIECE.turns || length * REMOVAL_COST >= PIECE.length) return { length, isMore: true };
    sql.exec("DELETE FROM turn_text WHERE rowid = ?", row.id);
    sql.exec("DELETE FROM turn WHERE id = ?", row.id);
    length += row.length;
  }
  return { length, isMore: false };
};

/** Copies those turns of a thread that a branch of it does not have yet, in order. Returns whether there are more. */
export const copyTurns = (sql: SqlStorage, { from, to, runIds }: BranchedTurns): boolean => {
  const missing = sql.exec<{ id: number; key: string }>(
    `SELECT id, substr(run_id, 1, ${RUN_ID_LENGTH}) || ':' || ?2 AS key FROM turn
     WHERE thread_id = ?1 AND substr(run_id, 1, ${RUN_ID_LENGTH}) IN (SELECT value FROM json_each(?3))
       AND NOT EXISTS (SELECT 1 FROM turn AS copy WHERE copy.run_id = substr(turn.run_id, 1, ${RUN_ID_LENGTH}) || ':' || ?2)
     ORDER BY id LIMIT ${PIECE.turns + 1}`,
    ...[from, to, JSON.stringify(runIds)],
  );
  let length = 0;
  for (const [nth, { id, key }] of [...missing].entries()) {
    if (nth === PIECE.turns || length >= PIECE.length) return true;
    length += copyTurn(sql, id, to, key);
  }
  return false;
};

/** Copies one turn, whose texts stay in SQLite. Returns their length, plus what removing the oldest turn costs, as a length. */
const copyTurn = (sql: SqlStorage, id: number, threadId: string, key: string): number => {
  // Earlier copies may have made this turn one of the oldest, which are removed.
  const insert = "INSERT INTO turn (thread_id, run_id) SELECT ?, ? FROM turn WHERE id = ? RETURNING id";
  const [row] = sql.exec<{ id: number }>(insert, threadId, key, id);
  if (row === undefined) return 0;
  sql.exec(
    "INSERT INTO turn_text (rowid, prompt, answer) SELECT ?, prompt, answer FROM turn_text WHERE rowid = ?",
    ...[row.id, id],
  );
  const measure = "SELECT length(prompt) + length(answer) AS length FROM turn_text WHERE rowid = ?";
  const { length } = sql.exec<{ length: number }>(measure, row.id).one();
  return length + REMOVAL_COST * removeOldest(sql, row.id);
};

/** The runs in `?1` whose turn branch `?2` does not have. */
const MISSING = "json_each(?1) WHERE NOT EXISTS (SELECT 1 FROM turn WHERE run_id = value || ':' || ?2)";

/** Whether a branch still lacks a turn after all there were have been copied: its run has not handed it over, or the index was full. */
export const isTurnMissing = (sql: SqlStorage, { to, runIds }: BranchedTurns): boolean =>
  sql.exec(`SELECT 1 FROM ${MISSING} LIMIT 1`, JSON.stringify(runIds), to).toArray().length > 0;

/** Notes the turns that a branch lacks, so that it gets them once they come in. */
export const awaitTurns = (sql: SqlStorage, { to, runIds }: BranchedTurns): void => {
  sql.exec(
    `INSERT OR IGNORE INTO awaited (run_id, thread_id) SELECT value, ?2 FROM ${MISSING}`,
    JSON.stringify(runIds),
    to,
  );
};

/** Returns the branches that wait for a run's turn, and forgets that they do. */
export const takeAwaiting = (sql: SqlStorage, runId: string): string[] =>
  [...sql.exec<{ branch: string }>("DELETE FROM awaited WHERE run_id = ? RETURNING thread_id AS branch", runId)].map(
    ({ branch }) => branch,
  );
