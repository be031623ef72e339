/**
 * Follows one run's events to its end, across lost networks, sleeping phones and hidden tabs; each event comes once and in
 * order. The cursor is the seq of the newest event, so nothing is requested twice.
 */
import type { NumberedEvent } from "../../../contract/transcript.ts";
import { type ConnectionEnd, type EventBatch, makeEventBatch, readEventStream } from "./read-event-stream.ts";
import {
  browserEnvironment,
  type CloseReason,
  type PageChange,
  type RunStreamOptions,
  retryDelayMs,
  type StreamConnection,
  type StreamEnvironment,
} from "./stream-environment.ts";

/** A connection silent for this long counts as dead: the server writes a comment every 10 s (api.md §3). */
const STALL_MS = 25_000;

/** Delay after the first failure, unless the stream asks for another one. */
const RETRY_MS = 2_000;

/** A stream that the server ends after this long is opened again at once: nothing was lost, and nobody need be told. */
const OLD_MS = 10_000;

/** How long a hidden page stays connected, in ms: a short look elsewhere causes no notice, and a forgotten tab does not withhold one. */
const HIDDEN_MS = 30_000;

/** How many connections in a row may bring something unreadable. All read the same log, so the network is not the cause. */
const MAX_UNREADABLE = 4;

/** A run that is being followed. */
export type RunStream = {
  /** Stops following. Events not handed over yet are dropped; the caller's cursor brings them again. */
  stop(): void;
  /** Retries now instead of waiting. */
  retryNow(): void;
};

/** Starts following. Calls nothing before it has returned. */
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
  #cancelPause = () => {};
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
    // The handler of the last events may have stopped this stream.
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
    this.#cancelPause();
    const { isHidden, sleepsWhenHidden, setTimer } = this.#environment;
    if (isHidden()) {
      const stays = change === "hidden" && this.#connection !== undefined && !sleepsWhenHidden();
      if (stays) this.#cancelPause = setTimer(() => this.#pause(), HIDDEN_MS);
      else this.#pause();
      return;
    }
    this.#failures = 0;
    // "online" means a different network: a connection over the old one may never notice that it is dead.
    if (change === "online" || this.#connection === undefined) this.#connect();
  }

  /** Disconnects until the page is visible again: a new connection would be of no use before that. */
  #pause(): void {
    this.#disconnect();
    this.#batch.flush();
    if (!this.#isClosed) this.#tell({ state: "paused" });
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
    const url = `${eventsPath}?after=${this.#cursor}`;
    const isCurrent = () => this.#connection === connection;
    const end = await readEventStream(
      { url, signal: connection.signal, stallMs, environment: this.#environment },
      {
        onOpen: () => isCurrent() && this.#onOpen(),
        onFrame: (event) => isCurrent() && this.#accept(event),
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

  /** Accepts the next event, skips one it has, and reconnects from its cursor at a gap. */
  #accept(event: NumberedEvent | undefined): void {
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
    if (end.type === "closed") this.close(end.reason);
    else if (this.#environment.isHidden()) this.#pause();
    else if (end.type === "lost") this.#retryLater(end.afterMs ?? 0);
    else if (this.#environment.nowMs() - this.#openedAtMs > OLD_MS) this.#connect();
    else this.#retryLater(0);
  }

  #retryLater(afterMs: number): void {
    this.#disconnect();
    const { stallMs = STALL_MS } = this.#options;
    // The connection was alive, only the run was silent: the next failure is the first of a new series.
    if (this.#environment.nowMs() - this.#openedAtMs > 2 * stallMs) this.#failures = 0;
    this.#openedAtMs = Number.POSITIVE_INFINITY;
    this.#failures += 1;
    const delayMs = Math.max(afterMs, retryDelayMs(this.#failures, this.#retryMs, this.#environment.random()));
    this.#cancelWait = this.#environment.setTimer(() => this.#connect(), delayMs);
    this.#tell({ state: "waiting", retryAtMs: this.#environment.nowMs() + delayMs });
  }

  #disconnect(): void {
    this.#cancelWait();
    this.#cancelPause();
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.abort();
  }

  #tell(connection: StreamConnection): void {
    this.#options.onConnection(connection);
  }
}
