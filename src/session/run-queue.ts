/**
 * The order of a thread's runs. The head holds the grant: a number that grows with every head, so that a run that was dropped
 * and comes back late can be told apart from the one that runs now.
 */

/** The grant of a session's first run. */
const FIRST_GRANT = 1;

/**
 * A place in the queue. `grant` is set for the head, which may run; `isFirst` for a session's first run, which has no earlier
 * conversation to load.
 */
export type QueuePlace = { readonly ahead: number; readonly grant: number | undefined; readonly isFirst?: true };

/** The run at the head of the queue. */
export type QueueHead = { readonly runId: string; readonly grant: number; readonly isGrantDelivered: boolean };

type SessionRow = { session_grant: number; is_grant_delivered: number; unreachable_since_ms: number | null };

/** The `queue` and `session` tables of one session. Call writing methods within a transaction. */
export class RunQueue {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Creates the row of a new session with an empty queue. Repeating it changes nothing. */
  beginEmpty(): void {
    this.#sql.exec(
      "INSERT OR IGNORE INTO session (id, session_grant, is_grant_delivered, epoch) VALUES (1, ?, 1, 1)",
      FIRST_GRANT,
    );
  }

  /** Creates the rows of a new session, whose first run is the head. */
  begin(runId: string): QueuePlace {
    this.beginEmpty();
    this.#sql.exec("INSERT INTO queue (run_id) VALUES (?)", runId);
    return { ahead: 0, grant: FIRST_GRANT, isFirst: true };
  }

  /** Adds a run at the end and returns its place, the same one if it is repeated. The head learns its grant this way. */
  add(runId: string): QueuePlace {
    const known = this.place(runId);
    if (known !== undefined) return known;
    const isFirst = this.head() === undefined;
    this.#sql.exec("INSERT INTO queue (run_id) VALUES (?)", runId);
    if (isFirst) this.#nextGrant(true);
    return this.place(runId) ?? { ahead: 0, grant: undefined };
  }

  place(runId: string): QueuePlace | undefined {
    const [row] = this.#sql.exec<{ ahead: number }>(
      "SELECT (SELECT count(*) FROM queue AS q WHERE q.position < queue.position) AS ahead FROM queue WHERE run_id = ?",
      runId,
    );
    return row && { ahead: row.ahead, grant: row.ahead === 0 ? this.#row().session_grant : undefined };
  }

  /**
   * Makes a run the only one in this queue, under the grant that it has in the thread's first session. False: this session has seen a newer
   * grant.
   */
  hold(runId: string, grant: number): boolean {
    if (grant < this.#row().session_grant) return false;
    this.#sql.exec("DELETE FROM queue WHERE run_id <> ?", runId);
    this.#sql.exec("INSERT OR IGNORE INTO queue (run_id) VALUES (?)", runId);
    this.#sql.exec("UPDATE session SET session_grant = ?, is_grant_delivered = 1", grant);
    return true;
  }

  /** Runs in the queue, including the head. */
  get length(): number {
    return this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM queue").one().n;
  }

  head(): QueueHead | undefined {
    const [row] = this.#sql.exec<{ run_id: string }>("SELECT run_id FROM queue ORDER BY position LIMIT 1");
    if (row === undefined) return undefined;
    const { session_grant: grant, is_grant_delivered } = this.#row();
    return { runId: row.run_id, grant, isGrantDelivered: is_grant_delivered === 1 };
  }

  /** Removes a run. If it was the head, the next one gets a new grant, still to be delivered. */
  remove(runId: string): void {
    const wasHead = this.head()?.runId === runId;
    this.#sql.exec("DELETE FROM queue WHERE run_id = ?", runId);
    if (wasHead) this.#nextGrant(false);
  }

  markDelivered(): void {
    this.#sql.exec("UPDATE session SET is_grant_delivered = 1, unreachable_since_ms = NULL");
  }

  /** Notes that the head did not answer. Returns for how long it has not answered, in ms. */
  markUnreachable(nowMs: number): number {
    this.#sql.exec("UPDATE session SET unreachable_since_ms = coalesce(unreachable_since_ms, ?)", nowMs);
    return nowMs - (this.#row().unreachable_since_ms ?? nowMs);
  }

  #nextGrant(isDelivered: boolean): void {
    this.#sql.exec(
      "UPDATE session SET session_grant = session_grant + 1, is_grant_delivered = ?, unreachable_since_ms = NULL",
      isDelivered ? 1 : 0,
    );
  }

  #row(): SessionRow {
    return this.#sql.exec<SessionRow>("SELECT * FROM session").one();
  }
}
