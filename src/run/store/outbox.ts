/**
 * What the run still has to tell others. A row is written in the transaction that makes it true and is removed only after its
 * receiver has answered; until then the alarm sends it again, with growing pauses and without an end. So a receiver may get it twice.
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

/** Due whatever the time is, because the clock may be set back before the first try. Not 0, because no alarm can be set for 0. */
const AT_ONCE_MS = 1;

/** A row as its receiver gets it. Only a rule's has a payload: what the others need is in the run itself. */
export type OutboxRow = { readonly receiver: string; readonly payload: string };

type Send = (row: OutboxRow) => Promise<void>;

/** Prefix of receivers that tell a person something. They are delivered separately, so that nothing waits for a push service. */
export const NOTICE = "notice:";

/** The receiver for D1's copy of the run, and for what is sent with it: the day's cost, a schedule's report, the search. */
export const LISTS = "index";

/** Receivers that nobody waits for: the lists, and after them a title, which a model is asked for. */
const LAST: readonly string[] = [LISTS, "title"];

/** The order of delivery. What is not listed, such as a rule, comes first: the session's row lets the next run start. */
const ORDER: readonly string[] = ["session", ...LAST];

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
  /** Receivers that have answered and whose rows are still there. */
  readonly #answered = new Set<string>();

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
    this.#answered.delete(receiver);
  }

  /** Removes a row that nobody needs any more. A row that is being delivered may still arrive. */
  drop(receiver: string): void {
    if (this.has(receiver)) this.#tables.sql.exec("DELETE FROM outbox WHERE receiver = ?", receiver);
  }

  /** Whether this instance has tried to deliver. If it has not, an earlier one may have died before it did. */
  get hasTried(): boolean {
    return this.#hasTried;
  }

  /** Whether a receiver has yet to answer. */
  has(receiver: string): boolean {
    return this.#rows().some((row) => row.receiver === receiver);
  }

  /** The receivers whose names begin with `prefix`. */
  receivers(prefix: string): string[] {
    return this.#rows().flatMap(({ receiver }) => (receiver.startsWith(prefix) ? [receiver] : []));
  }

  /** When the next row is due, or undefined when everything has been delivered. */
  nextDueMs(): number | undefined {
    const nowMs = this.#nowMs();
    // A notice on its way is not due before its time is over. Otherwise the alarm would ring without a pause until it has arrived.
    const soonestMs = this.#telling === undefined ? 0 : nowMs + SEND_LIMIT_MS;
    const due = this.#rows().map((row) => (isNotice(row) ? Math.max(row.due_at_ms, soonestMs) : row.due_at_ms));
    return due.length === 0 ? undefined : Math.min(...due, nowMs + MAX_PAUSE_MS);
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
   * Sends everything but notices and the receivers in `LAST`, without waiting for a pause to end: the session is asking, so it is
   * reachable. Does not wait for a D1 that hangs. Never rejects.
   */
  handOver(send: Send): Promise<void> {
    this.#hasTried = true;
    return this.#inOrder(async () => {
      for (const row of this.#rows())
        if (!LAST.includes(row.receiver) && !isNotice(row)) await this.#deliverRow(row, send);
    });
  }

  /** Resolves when no delivery is under way. */
  async idle(): Promise<void> {
    await Promise.all([this.#delivery, this.#handingOver, this.#telling]);
  }

  async #deliverDue(send: Send): Promise<void> {
    for (let row = this.#nextDue(false); row !== undefined; row = this.#nextDue(false)) {
      const next = row;
      if (LAST.includes(next.receiver)) await this.#deliverRow(next, send);
      else await this.#inOrder(async () => (this.has(next.receiver) ? this.#deliverRow(next, send) : undefined));
    }
  }

  async #tellDue(send: Send): Promise<boolean> {
    let hasTold = false;
    for (let row = this.#nextDue(true); row !== undefined; row = this.#nextDue(true)) {
      await this.#deliverRow(row, send);
      hasTold = true;
    }
    return hasTold;
  }

  /** Works on rows for the session one at a time, so that none is sent twice at once. */
  #inOrder(work: () => Promise<void>): Promise<void> {
    const done = this.#handingOver.then(work);
    this.#handingOver = done.catch(() => undefined);
    return done;
  }

  async #deliverRow({ receiver, attempts, payload }: Row, send: Send): Promise<void> {
    try {
      await within(SEND_LIMIT_MS, () => send({ receiver, payload }));
      this.#answered.add(receiver);
      // The session's row is removed with that of D1's copy, which follows at once: on its own, it would be one more commit in each run.
      if (receiver !== "session" || !this.has(LISTS)) this.#removeAnswered();
    } catch (error) {
      // The row is kept: the alarm sends it again.
      log.warn("Delivery failed.", { receiver, error });
      this.#tables.sql.exec(
        "UPDATE outbox SET attempts = attempts + 1, due_at_ms = ? WHERE receiver = ?",
        this.#nowMs() + Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempts),
        receiver,
      );
      this.#removeAnswered();
    }
  }

  #removeAnswered(): void {
    for (const receiver of this.#answered) this.#tables.sql.exec("DELETE FROM outbox WHERE receiver = ?", receiver);
    this.#answered.clear();
  }

  /** The next row to send, of notices or of the rest. One due later than the longest pause is sent too: the clock was set back since. */
  #nextDue(asNotice: boolean): Row | undefined {
    const nowMs = this.#nowMs();
    const isDue = ({ due_at_ms: atMs }: Row) => atMs <= nowMs || atMs > nowMs + MAX_PAUSE_MS;
    return this.#rows().find((row) => isNotice(row) === asNotice && isDue(row));
  }

  /** What receivers have yet to answer, in the order of sending. One statement for all: a new object compiles each that it runs. */
  #rows(): Row[] {
    if (!this.#tables.has(TABLE)) return [];
    return [...this.#tables.sql.exec<Row>("SELECT * FROM outbox")]
      .filter(({ receiver }) => !this.#answered.has(receiver))
      .sort((a, b) => ORDER.indexOf(a.receiver) - ORDER.indexOf(b.receiver));
  }
}

const isNotice = ({ receiver }: Row): boolean => receiver.startsWith(NOTICE);
