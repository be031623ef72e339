/**
 * What the run still has to tell others. A row is written in the transaction that makes it true and is removed only when its
 * receiver has answered; until then the alarm sends it again, with growing pauses and without an end.
 */
import { log } from "../../contract/log.ts";
import { within } from "../../contract/within.ts";
import type { ObjectTables } from "../../objects/object-tables.ts";
import { OUTBOX_TABLES } from "./run-schema.ts";

/** First pause after a failed delivery; doubles each time. */
const FIRST_PAUSE_MS = 1_000;

/** Longest pause between two tries. */
const MAX_PAUSE_MS = 5 * 60_000;

/** How long a receiver may take to answer, in ms: a session appends a whole turn. */
const SEND_LIMIT_MS = 30_000;

/** Due whatever the time is: the clock may be set back before the first try. Not 0, for which no alarm can be set. */
const AT_ONCE_MS = 1;

/** A row as its receiver gets it. `session`, `index` and `title` have no payload: what they need is in the run itself. */
export type OutboxRow = { readonly receiver: string; readonly payload: string };

type Send = (row: OutboxRow) => Promise<void>;

/** How the names of receivers begin that tell a person something. They are delivered beside the others: nothing waits for a push service. */
export const NOTICE = "notice:";

const IS_NOTICE = `receiver GLOB '${NOTICE}*'`;

/** What nobody waits for: D1's copy, and after it a title, which a model is asked for. */
const IS_LAST = "receiver IN ('index', 'title')";

/** Rules are sent before the session lets the next run start, and D1's copy comes after it. */
const IN_ORDER = "ORDER BY CASE receiver WHEN 'session' THEN 1 WHEN 'index' THEN 2 WHEN 'title' THEN 3 ELSE 0 END";

type Row = { receiver: string; payload: string; attempts: number; due_at_ms: number };

const TABLE = "outbox";

/** The `outbox` table of one run. */
export class Outbox {
  readonly #tables: ObjectTables;
  readonly #nowMs: () => number;
  #delivery: Promise<void> | undefined;
  #telling: Promise<boolean> | undefined;
  #handingOver: Promise<void> = Promise.resolve();
  #hasTried = false;

  constructor(tables: ObjectTables, nowMs: () => number) {
    this.#tables = tables;
    this.#nowMs = nowMs;
  }

  /** Adds a row, due at once unless `dueAtMs` says when. In the caller's transaction. */
  add(receiver: string, payload = "", dueAtMs = AT_ONCE_MS): void {
    this.#tables.make(OUTBOX_TABLES);
    this.#tables.sql.exec(
      "INSERT OR REPLACE INTO outbox (receiver, payload, attempts, due_at_ms) VALUES (?, ?, 0, ?)",
      receiver,
      payload,
      dueAtMs,
    );
  }

  /** Removes a row that nobody needs any more. One that is being delivered may arrive all the same. */
  drop(receiver: string): void {
    if (this.has(receiver)) this.#tables.sql.exec("DELETE FROM outbox WHERE receiver = ?", receiver);
  }

  /** Whether this instance has tried to deliver. If it has not, an earlier one may have died before it did. */
  get hasTried(): boolean {
    return this.#hasTried;
  }

  /** Whether a receiver has yet to answer. */
  has(receiver: string): boolean {
    return this.#rows("WHERE receiver = ?", receiver).length > 0;
  }

  /** The receivers whose name begins like that. */
  receivers(prefix: string): string[] {
    return this.#rows("WHERE substr(receiver, 1, length(?1)) = ?1", prefix).map(({ receiver }) => receiver);
  }

  /** When the next row is due, or undefined when everything has been delivered. */
  nextDueMs(): number | undefined {
    if (!this.#tables.has(TABLE)) return undefined;
    const { due } = this.#tables.sql.exec<{ due: number | null }>("SELECT min(due_at_ms) AS due FROM outbox").one();
    return due === null ? undefined : Math.min(due, this.#nowMs() + MAX_PAUSE_MS);
  }

  /** Sends what is due, one row after the other. Calls in the meantime share the delivery. Never rejects. */
  deliver(send: Send): Promise<void> {
    this.#hasTried = true;
    this.#delivery ??= this.#deliverDue(send).finally(() => {
      this.#delivery = undefined;
    });
    return this.#delivery;
  }

  /** Sends the notices that are due. Returns whether there were any. Never rejects. */
  tell(send: Send): Promise<boolean> {
    this.#telling ??= this.#tellDue(send).finally(() => {
      this.#telling = undefined;
    });
    return this.#telling;
  }

  /**
   * Sends everything but notices and what comes last at once, even during a pause: the session is asking, so it is reachable. Does not wait for a
   * D1 that hangs. Never rejects.
   */
  handOver(send: Send): Promise<void> {
    this.#hasTried = true;
    return this.#inTurn(async () => {
      for (const row of this.#rows(`WHERE NOT ${IS_LAST} AND NOT ${IS_NOTICE} ${IN_ORDER}`))
        await this.#deliverRow(row, send);
    });
  }

  /** Resolves when no delivery is under way. */
  async idle(): Promise<void> {
    await Promise.all([this.#delivery, this.#handingOver, this.#telling]);
  }

  async #deliverDue(send: Send): Promise<void> {
    for (let row = this.#nextDue(`NOT ${IS_NOTICE}`); row !== undefined; row = this.#nextDue(`NOT ${IS_NOTICE}`)) {
      const next = row;
      if (next.receiver === "index" || next.receiver === "title") await this.#deliverRow(next, send);
      else await this.#inTurn(async () => (this.has(next.receiver) ? this.#deliverRow(next, send) : undefined));
    }
  }

  async #tellDue(send: Send): Promise<boolean> {
    let hasTold = false;
    for (let row = this.#nextDue(IS_NOTICE); row !== undefined; row = this.#nextDue(IS_NOTICE)) {
      await this.#deliverRow(row, send);
      hasTold = true;
    }
    return hasTold;
  }

  /** Works on rows for the session one at a time, so that none is sent twice at once. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#handingOver.then(work);
    this.#handingOver = turn.catch(() => undefined);
    return turn;
  }

  async #deliverRow(row: Row, send: Send): Promise<void> {
    try {
      await within(SEND_LIMIT_MS, () => send(row));
      this.#tables.sql.exec("DELETE FROM outbox WHERE receiver = ?", row.receiver);
    } catch (error) {
      // The row is kept: the alarm sends it again.
      const { receiver } = row;
      log.warn("Delivery failed.", { receiver, error });
      this.#tables.sql.exec(
        "UPDATE outbox SET attempts = attempts + 1, due_at_ms = ? WHERE receiver = ?",
        this.#nowMs() + Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** row.attempts),
        receiver,
      );
    }
  }

  /** The next row of its kind to send. A row due later than the longest pause is sent too: the clock was set back since its last try. */
  #nextDue(kind: string): Row | undefined {
    const which = `WHERE (due_at_ms <= ?1 OR due_at_ms > ?1 + ?2) AND ${kind} ${IN_ORDER} LIMIT 1`;
    return this.#rows(which, this.#nowMs(), MAX_PAUSE_MS)[0];
  }

  #rows(which: string, ...values: readonly SqlStorageValue[]): Row[] {
    return this.#tables.has(TABLE) ? [...this.#tables.sql.exec<Row>(`SELECT * FROM outbox ${which}`, ...values)] : [];
  }
}
