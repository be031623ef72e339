/**
 * Follows one run's events for as long as it lasts: through lost networks, sleeping phones and hidden tabs, each event
 * once and in order. The cursor is the seq of the newest event, so nothing is asked for twice.
 */
import type { NumberedEvent } from "../../contract/transcript.ts";
import { type EventBatch, makeEventBatch } from "./event-batch.ts";
import { type ConnectionEnd, readEventStream } from "./read-event-stream.ts";
import { type CloseReason, retryDelayMs, type StreamConnection } from "./stream-connection.ts";
import { browserEnvironment, type PageChange, type StreamEnvironment } from "./stream-environment.ts";

/** Silence after which a connection counts as dead: the server writes a comment every 10 s (CONTRACT §3). */
const STALL_MS = 25_000;

/** Pause after the first failure, until the stream says otherwise. */
const RETRY_MS = 2_000;

/** Connections in a row that may bring something unreadable: each reads the same log, so it is not the network. */
const MAX_UNREADABLE = 4;

/** Whom to follow and whom to tell. */
export type RunStreamOptions = {
  /** The run's `events` path. */
  readonly eventsPath: string;
  /** The newest seq one has; 0 for all. */
  readonly afterSeq: number;
  /** New events in order, at most once a frame. Never after `stop`, and never after `closed` was told. */
  readonly onEvents: (events: readonly NumberedEvent[]) => void;
  /** Told on each change. `closed` is the last. */
  readonly onConnection: (connection: StreamConnection) => void;
  readonly environment?: StreamEnvironment;
  readonly stallMs?: number;
};

/** A run that is being followed. */
export type RunStream = {
  /** Ends it. Events that were not handed over yet are dropped: they come again behind the caller's own cursor. */
  stop(): void;
  /** Ends a wait between two tries. */
  retryNow(): void;
};

/** Begins to follow. Tells nothing before it has returned. */
export const followRun = (options: RunStreamOptions): RunStream => {
  const follower = new Follower(options);
  queueMicrotask(() => follower.begin());
  return { stop: () => follower.close("stopped"), retryNow: () => follower.retryNow() };
};

class Follower {
  readonly #options: RunStreamOptions;
  readonly #environment: StreamEnvironment;
  readonly #batch: EventBatch;
  #cursor: number;
  #retryMs = RETRY_MS;
  #failures = 0;
  #unreadable = 0;
  #openedAtMs = Number.POSITIVE_INFINITY;
  #isClosed = false;
  #connection: AbortController | undefined;
  #cancelWait = () => {};
  #leavePage = () => {};

  constructor(options: RunStreamOptions) {
    this.#options = options;
    this.#environment = options.environment ?? browserEnvironment;
    this.#cursor = options.afterSeq;
    this.#batch = makeEventBatch(this.#environment, options.onEvents);
  }

  begin(): void {
    if (this.#isClosed) return;
    this.#leavePage = this.#environment.onPageChange((change) => this.#onPageChange(change));
    if (this.#environment.isHidden()) this.#tell({ state: "paused" });
    else this.#connect();
  }

  close(reason: CloseReason): void {
    if (this.#isClosed) return;
    if (reason === "stopped") this.#batch.drop();
    else this.#batch.flush();
    // Whoever got the last events may have stopped it in turn.
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#disconnect();
    this.#leavePage();
    this.#tell({ state: "closed", reason });
  }

  retryNow(): void {
    if (!this.#isClosed && this.#connection === undefined && !this.#environment.isHidden()) this.#connect();
  }

  #onPageChange(change: PageChange): void {
    if (change === "hidden") {
      this.#disconnect();
      this.#batch.flush();
      if (!this.#isClosed) this.#tell({ state: "paused" });
      return;
    }
    if (this.#environment.isHidden()) return;
    this.#failures = 0;
    // "online" says that the network is another one: a connection of the old one may never learn of its end.
    if (change === "online" || this.#connection === undefined) this.#connect();
  }

  #connect(): void {
    this.#disconnect();
    const connection = new AbortController();
    this.#connection = connection;
    this.#tell({ state: "connecting" });
    void this.#read(connection);
  }

  async #read(connection: AbortController): Promise<void> {
    const { eventsPath, stallMs = STALL_MS } = this.#options;
    const environment = this.#environment;
    const url = `${eventsPath}?after=${this.#cursor}`;
    const isCurrent = () => this.#connection === connection;
    const end = await readEventStream(
      { url, signal: connection.signal, stallMs, environment },
      {
        onOpen: () => isCurrent() && this.#onOpen(),
        onFrame: (json) => isCurrent() && this.#accept(json),
        onRetryMs: (ms) => {
          this.#retryMs = ms;
        },
      },
    );
    if (isCurrent()) this.#onEnd(end);
  }

  #onOpen(): void {
    this.#openedAtMs = this.#environment.nowMs();
    this.#tell({ state: "open" });
  }

  /** Takes the next event, passes over one it has, and begins anew from its cursor at a gap. */
  #accept(json: string): void {
    const event = parseEvent(json);
    if (event === undefined || event.seq > this.#cursor + 1) {
      this.#unreadable += 1;
      if (this.#unreadable >= MAX_UNREADABLE) this.close("refused");
      else this.#onEnd({ type: "lost", afterMs: undefined });
      return;
    }
    if (event.seq <= this.#cursor) return;
    this.#cursor = event.seq;
    this.#failures = 0;
    this.#unreadable = 0;
    this.#batch.add(event);
    if (event.type === "run_end") this.close("ended");
  }

  #onEnd(end: ConnectionEnd): void {
    if (end.type === "closed") {
      this.close(end.reason);
      return;
    }
    this.#disconnect();
    const { stallMs = STALL_MS } = this.#options;
    // It was heard all the while, though nothing happened in the run: that is no row of failures.
    if (this.#environment.nowMs() - this.#openedAtMs > 2 * stallMs) this.#failures = 0;
    this.#openedAtMs = Number.POSITIVE_INFINITY;
    this.#failures += 1;
    const delayMs = Math.max(end.afterMs ?? 0, retryDelayMs(this.#failures, this.#retryMs, this.#environment.random()));
    this.#cancelWait = this.#environment.setTimer(() => this.#connect(), delayMs);
    this.#tell({ state: "waiting", retryAtMs: this.#environment.nowMs() + delayMs });
  }

  #disconnect(): void {
    this.#cancelWait();
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.abort();
  }

  #tell(connection: StreamConnection): void {
    this.#options.onConnection(connection);
  }
}

/** The event of a frame; undefined when it is none. Our own server's, so its shape is trusted beyond its number. */
const parseEvent = (json: string): NumberedEvent | undefined => {
  try {
    const event: NumberedEvent = JSON.parse(json);
    return Number.isInteger(event.seq) ? event : undefined;
  } catch {
    return undefined;
  }
};
