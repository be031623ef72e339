/**
 * What the run still has to tell others. A row is written in the transaction that makes it true and goes only when its
 * receiver has answered; the alarm repeats it with a growing pause for ever.
 */
import { errorText } from "../contract/error-text.ts";
import { within } from "../contract/within.ts";

/** First pause after a failed delivery; doubles each time. */
const FIRST_PAUSE_MS = 1_000;

/** Longest pause between two tries. */
const MAX_PAUSE_MS = 5 * 60_000;

/** Longest a receiver may take to answer, in ms: a session appends a whole turn. */
const SEND_LIMIT_MS = 30_000;

/** Due whatever the clock says: it may be put back before the first try. Not 0, which no alarm can be set for. */
const AT_ONCE_MS = 1;

/** A row as its receiver gets it. `session` and `index` carry nothing: what they need is in the run itself. */
export type OutboxRow = { readonly receiver: string; readonly payload: string };

type Send = (row: OutboxRow) => Promise<void>;

/** Rules before the session, which lets the next run go, and D1's copy last. */
const IN_ORDER = "ORDER BY CASE receiver WHEN 'session' THEN 1 WHEN 'index' THEN 2 ELSE 0 END";

type Row = { receiver: string; payload: string; attempts: number; due_at_ms: number };

/** The `outbox` table of one run. */
export class Outbox {
  readonly #sql: SqlStorage;
  readonly #nowMs: () => number;
  #delivery: Promise<void> | undefined;
  #hasTried = false;

  constructor(sql: SqlStorage, nowMs: () => number) {
    this.#sql = sql;
    this.#nowMs = nowMs;
  }

  /** Adds a row, due at once. In the caller's transaction. */
  add(receiver: string, payload = ""): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO outbox (receiver, payload, attempts, due_at_ms) VALUES (?, ?, 0, ?)",
      receiver,
      payload,
      AT_ONCE_MS,
    );
  }

  /** Whether this instance has tried to deliver; if not, an earlier one may have died before it did. */
  get hasTried(): boolean {
    return this.#hasTried;
  }

  /** Whether a receiver has not answered yet. */
  has(receiver: string): boolean {
    return [...this.#sql.exec("SELECT 1 FROM outbox WHERE receiver = ?", receiver)].length > 0;
  }

  /** When the next row is due, or undefined when all is delivered. */
  nextDueMs(): number | undefined {
    const { due } = this.#sql.exec<{ due: number | null }>("SELECT min(due_at_ms) AS due FROM outbox").one();
    return due === null ? undefined : Math.min(due, this.#nowMs() + MAX_PAUSE_MS);
  }

  /**
   * Sends what is due, one after the other. Calls that come meanwhile share one delivery. `isAsked`: the session asks, so it is
   * there, and what it needs goes at once, whatever pause it is in. Never rejects.
   */
  deliver(send: Send, isAsked = false): Promise<void> {
    this.#hasTried = true;
    const before = this.#delivery;
    if (before !== undefined && !isAsked) return before;
    const started =
      before === undefined ? this.#deliverDue(send, isAsked) : before.then(() => this.#deliverDue(send, isAsked));
    const delivery = started.finally(() => {
      if (this.#delivery === delivery) this.#delivery = undefined;
    });
    this.#delivery = delivery;
    return delivery;
  }

  /** Resolves when no delivery is under way. */
  async idle(): Promise<void> {
    await this.#delivery;
  }

  async #deliverDue(send: Send, isAsked: boolean): Promise<void> {
    const asked = isAsked ? [...this.#sql.exec<Row>(`SELECT * FROM outbox WHERE receiver <> 'index' ${IN_ORDER}`)] : [];
    for (const row of asked) await this.#deliverRow(row, send);
    for (let row = this.#nextDue(); row !== undefined; row = this.#nextDue()) await this.#deliverRow(row, send);
  }

  async #deliverRow(row: Row, send: Send): Promise<void> {
    try {
      await within(SEND_LIMIT_MS, () => send(row));
      this.#sql.exec("DELETE FROM outbox WHERE receiver = ?", row.receiver);
    } catch (error) {
      // The row stays: the alarm sends it again.
      const { receiver } = row;
      console.warn(JSON.stringify({ level: "warn", message: "Delivery failed.", receiver, error: errorText(error) }));
      this.#sql.exec(
        "UPDATE outbox SET attempts = attempts + 1, due_at_ms = ? WHERE receiver = ?",
        this.#nowMs() + Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** row.attempts),
        receiver,
      );
    }
  }

  /** The next row to send. One that lies further ahead than any pause is due as well: the clock was put back since its last try. */
  #nextDue(): Row | undefined {
    const [row] = this.#sql.exec<Row>(
      `SELECT * FROM outbox WHERE due_at_ms <= ?1 OR due_at_ms > ?1 + ?2 ${IN_ORDER} LIMIT 1`,
      this.#nowMs(),
      MAX_PAUSE_MS,
    );
    return row;
  }
}
