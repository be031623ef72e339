/**
 * Turns that the person has gone back to before. Their rows stay; they are left out where the conversation is loaded. D1 has a copy of
 * which runs they are, for the lists; it is updated after the rewind is stored.
 */
import * as z from "zod";
import { OwnerEmail, ThreadId } from "../contract/ids.ts";
import { parseJson } from "../contract/parse-json.ts";
import { markReplaced } from "../db/branches/run-marks.ts";
import { openDb } from "../db/db.ts";
import type { ObjectTables } from "../objects/object-tables.ts";
import { UNTOLD, UNTOLD_BILL } from "./report.ts";
import { RARE_TABLES, REWIND_TABLES } from "./session-schema.ts";

/** Going back in a thread: its runs from one on, as its list has them. */
export const Rewind = z.object({ ownerEmail: OwnerEmail, threadId: ThreadId, runIds: z.array(z.string()) });
export type Rewind = z.infer<typeof Rewind>;

/** Tells the lists of runs that were replaced, if there are any that they have not been told of. Rejects when D1 does not answer. */
export const tellReplaced = async (d1: D1Database, rewinds: RewindStore): Promise<void> => {
  const untold = rewinds.untold();
  if (untold === undefined) return;
  await markReplaced(openDb(d1), untold);
  rewinds.markTold(untold);
};

const HIDDEN = "The agent started over after this point, so it does not know the earlier conversation.";

/**
 * How the notice's key begins in a branch whose inherited turns were not copied, because the original had started over after them. The
 * first of the inherited runs follows: of those that are listed, it is the last to be replaced.
 */
const HIDDEN_SINCE = "hidden since ";

/** The tables of a session that was rewound. All writes are in the caller's transaction. */
export class RewindStore {
  readonly #tables: ObjectTables;

  constructor(tables: ObjectTables) {
    this.#tables = tables;
  }

  /**
   * From now on, leaves out the turns of these runs, and every summary that covers one of them. The other turns of such a summary are then
   * sent whole again. Repeating it changes nothing.
   */
  add(rewind: Rewind): void {
    this.#tables.make(REWIND_TABLES);
    this.#leaveOut(rewind.runIds.filter((runId) => !this.#isReplaced(runId)));
    // D1 is told again when this is repeated: its answer may have been lost the first time.
    this.#tables.sql.exec(
      "INSERT OR REPLACE INTO rewind (id, told, is_fresh) VALUES (1, ?, 1)",
      JSON.stringify(this.#untold(rewind)),
    );
  }

  /** The runs that are left out. */
  replaced(): string[] {
    if (!this.#tables.has("replaced_turn")) return [];
    const rows = this.#tables.sql.exec<{ run_id: string }>("SELECT run_id FROM replaced_turn ORDER BY run_id");
    return [...rows].map(({ run_id }) => run_id);
  }

  /** Leaves out the same runs as the thread's first session, which is the one that updates D1. */
  follow(runIds: readonly string[]): void {
    if (runIds.length === 0) return;
    this.#tables.make(REWIND_TABLES);
    const fresh = runIds.filter((runId) => !this.#isReplaced(runId));
    if (fresh.length === 0) return;
    this.#leaveOut(fresh);
    this.#tables.sql.exec("INSERT OR REPLACE INTO rewind (id, told, is_fresh) VALUES (1, NULL, 1)");
  }

  #leaveOut(fresh: readonly string[]): void {
    const { sql } = this.#tables;
    const ids = JSON.stringify(fresh);
    if (this.#tables.has("compaction") && this.#tables.has("block")) {
      sql.exec(
        `INSERT OR IGNORE INTO dropped_compaction (id) SELECT id FROM compaction WHERE EXISTS (
           SELECT 1 FROM block WHERE block.epoch = compaction.epoch AND block.id <= compaction.up_to_block
             AND block.run_id IN (SELECT value FROM json_each(?)))`,
        ids,
      );
      // A summary that no longer holds is reported only for what it cost.
      sql.exec(
        `UPDATE notice SET is_told = ${UNTOLD_BILL}, event = json_object('type', 'dropped_call', 'model', coalesce(event ->> '$.model', ''),
           'usage', event -> '$.usage', 'isByHand', json(iif(event ->> '$.trigger' = 'manual', 'true', 'false')))
         WHERE is_told = ${UNTOLD} AND event ->> '$.summary' IN (
           SELECT event ->> '$.summary' FROM compaction WHERE id IN (SELECT id FROM dropped_compaction))`,
      );
    }
    for (const runId of fresh) sql.exec("INSERT INTO replaced_turn (run_id) VALUES (?)", runId);
    if (!this.#tables.has("block")) return;
    if (this.isHiddenFor("TRUE")) this.#noteHidden(`hidden by ${ids}`);
    else if (this.#tables.has("notice"))
      sql.exec(`DELETE FROM notice WHERE is_told = ${UNTOLD} AND key GLOB 'hidden *'`);
  }

  /**
   * Whether nothing of these runs (a condition on `run_id`) is sent although they are still listed: all their rows are of earlier epochs
   * or, in a branch, were not copied for that reason.
   */
  isHiddenFor(which: string, ...bound: readonly string[]): boolean {
    const { newest, epoch } = this.#tables.sql
      .exec<{ newest: number | null; epoch: number }>(
        `SELECT max(epoch) AS newest, (SELECT epoch FROM session) AS epoch FROM block WHERE ${which} AND ${this.sentBlocks}`,
        ...bound,
      )
      .one();
    return newest === null ? this.#isHiddenInOriginal() : newest < epoch;
  }

  /** Has the next run report the same of what a branch inherits, from that run on. */
  noteHiddenSince(runId: string): void {
    this.#noteHidden(HIDDEN_SINCE + runId);
  }

  #isHiddenInOriginal(): boolean {
    if (!this.#tables.has("notice")) return false;
    const rows = this.#tables.sql.exec<{ run_id: string }>(
      `SELECT substr(key, ${HIDDEN_SINCE.length + 1}) AS run_id FROM notice WHERE key GLOB '${HIDDEN_SINCE}*'`,
    );
    return [...rows].some(({ run_id }) => !this.#isReplaced(run_id));
  }

  /** Has the next run report that nothing earlier is sent, once per key. */
  #noteHidden(key: string): void {
    this.#tables.make(RARE_TABLES);
    this.#tables.sql.exec(
      `INSERT OR IGNORE INTO notice (key, event, is_told) SELECT ?, ?, ${UNTOLD} WHERE NOT EXISTS (
         SELECT 1 FROM notice WHERE is_told = ${UNTOLD} AND event ->> '$.type' = 'context_reset')`,
      key,
      JSON.stringify({ type: "context_reset", reason: HIDDEN }),
    );
  }

  /** What the lists have not been told of; undefined when there is nothing. */
  untold(): Rewind | undefined {
    if (!this.#tables.has("rewind")) return undefined;
    const [row] = this.#tables.sql.exec<{ told: string | null }>("SELECT told FROM rewind");
    return row === undefined || row.told === null ? undefined : Rewind.parse(parseJson(row.told));
  }

  /** Records that the lists were told of this, unless there is more by now. */
  markTold(rewind: Rewind): void {
    // The session may have been deleted meanwhile.
    if (!this.#tables.has("rewind")) return;
    this.#tables.sql.exec("UPDATE rewind SET told = NULL WHERE told = ?", JSON.stringify(rewind));
  }

  /** Whether no turn has been kept since the last rewind. */
  get isFresh(): boolean {
    if (!this.#tables.has("rewind")) return false;
    return [...this.#tables.sql.exec("SELECT 1 FROM rewind WHERE is_fresh")].length > 0;
  }

  /** Called in a copy of another session: its facts may belong to turns that were not copied. */
  beginFresh(): void {
    this.#tables.make(REWIND_TABLES);
    this.#tables.sql.exec("INSERT OR IGNORE INTO rewind (id, told, is_fresh) VALUES (1, NULL, 1)");
  }

  /** Called when a turn was kept. */
  settle(): void {
    if (this.isFresh) this.#tables.sql.exec("UPDATE rewind SET is_fresh = 0");
  }

  /** The condition under which a row of `block` is sent. */
  get sentBlocks(): string {
    return this.#tables.has("replaced_turn") ? "run_id NOT IN (SELECT run_id FROM replaced_turn)" : "TRUE";
  }

  /** The condition under which a summary still holds. */
  get heldCompactions(): string {
    return this.#tables.has("replaced_turn") ? "id NOT IN (SELECT id FROM dropped_compaction)" : "TRUE";
  }

  #isReplaced(runId: string): boolean {
    return [...this.#tables.sql.exec("SELECT 1 FROM replaced_turn WHERE run_id = ?", runId)].length > 0;
  }

  #untold(rewind: Rewind): Rewind {
    const before = this.untold()?.runIds ?? [];
    return { ...rewind, runIds: [...new Set([...before, ...rewind.runIds])] };
  }
}
