/**
 * The subscribers of a run. Each is a cursor over the log, pulled by its own backpressure. There are no queues per subscriber;
 * a slow reader is simply further behind. Disconnecting never aborts the run.
 */
import { LoginCheck } from "./login-check.ts";
import { PING, PRELUDE } from "./sse.ts";
import { isUnproven, type Log, type StreamClient, type Subscriber, type SubscriberLogin, wake } from "./subscriber.ts";

/** Most subscribers of one run (api.md §1): all objects of an isolate share 128 MB. */
export const MAX_SUBSCRIBERS = 1_000;

/** Most bytes that one subscriber is given at once, and that all are given together: what is not read stays in memory. */
const MAX_PAGE_BYTES = 64_000;
const MAX_HELD_BYTES = 16_000_000;

/** A comment is sent after this much silence, so that proxies keep the connection open. */
const PING_AFTER_MS = 10_000;

/** A subscriber that reads nothing for this long, although there is something to read, is dropped. */
const MAX_STALL_MS = 60_000;

/** A stream is ended after this long, between two frames; its client reconnects with its cursor. */
const MAX_STREAM_AGE_MS = 15 * 60_000;

/** How often the subscribers' log-ins are checked. */
const LOGIN_CHECK_MS = 60_000;

/** How often silence, stalls and age are checked. */
const TICK_MS = 1_000;

/** All subscribers of one run in this instance. */
export class Subscribers {
  readonly #log: Log;
  readonly #nowMs: () => number;
  readonly #subscribers = new Set<Subscriber>();
  readonly #loginCheck = new LoginCheck(
    () => [...new Set([...this.#subscribers].flatMap(({ login }) => (login === undefined ? [] : [login.id])))],
    (revoked) => this.#leaveLogins(revoked),
  );
  #ticker: ReturnType<typeof setInterval> | null = null;
  #loginsCheckedMs = 0;
  #emptySinceMs: number | undefined;
  readonly #onEmpty: () => unknown;
  #gone: PromiseWithResolvers<void> | undefined;

  /** `onEmpty` is called when the last subscriber who watches has left. */
  constructor(log: Log, nowMs: () => number, onEmpty: () => unknown = () => {}) {
    this.#log = log;
    this.#nowMs = nowMs;
    this.#emptySinceMs = nowMs();
    this.#onEmpty = onEmpty;
  }

  /** Since when nobody watches, as far as this instance knows; undefined while somebody does. */
  get emptySinceMs(): number | undefined {
    return this.#emptySinceMs;
  }

  get count(): number {
    return this.#subscribers.size;
  }

  /** Whether anybody counts as reading since `sinceMs`. */
  hasSince(sinceMs: number): boolean {
    return [...this.#subscribers].some((subscriber) => !subscriber.isUnseen && !isUnproven(subscriber, sinceMs));
  }

  /** Ends streams for which nothing shows that they were read since `sinceMs`. A client that is still there reconnects within seconds. */
  endBefore(sinceMs: number): void {
    for (const subscriber of this.#subscribers) if (isUnproven(subscriber, sinceMs)) this.#leave(subscriber);
  }

  /**
   * A stream of frames with seq > `afterSeq`. It closes after `run_end`, when `signal` aborts, and within a minute after its
   * log-in was revoked.
   */
  stream(afterSeq: number, signal: AbortSignal, client: StreamClient = {}): ReadableStream<Uint8Array> {
    let subscriber: Subscriber | undefined;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          const now = this.#nowMs();
          const joined: Subscriber = {
            ...{ ...client, cursor: afterSeq, controller, wake: undefined },
            ...{ joinedMs: now, lastSentMs: now, lastPullMs: now },
          };
          subscriber = joined;
          this.#subscribers.add(joined);
          if (!client.isUnseen) this.#emptySinceMs = undefined;
          // This workerd does not call `cancel` when a client disconnects; the request's signal reports it.
          signal.addEventListener("abort", () => this.#leave(joined), { once: true });
          this.#ticker ??= setInterval(() => this.#tick(), TICK_MS);
          controller.enqueue(PRELUDE);
          if (signal.aborted) this.#leave(joined);
          this.#checkLogins(client.login, now);
        },
        pull: () => (subscriber === undefined ? undefined : this.#pull(subscriber)),
        cancel: () => {
          if (subscriber !== undefined) this.#leave(subscriber);
        },
      },
      { highWaterMark: 0 },
    );
  }

  /** Sends what is new to every subscriber that is waiting. */
  notify(): void {
    for (const subscriber of this.#subscribers) {
      if (subscriber.wake !== undefined && this.#send(subscriber)) wake(subscriber);
    }
  }

  /** Resolves when no subscriber is left. */
  gone(): Promise<void> {
    this.#gone ??= Promise.withResolvers<void>();
    if (this.#subscribers.size === 0) this.#gone.resolve();
    return this.#gone.promise;
  }

  /** Ends all streams, because the run is deleted. */
  close(): void {
    for (const subscriber of this.#subscribers) this.#leave(subscriber);
  }

  #pull(subscriber: Subscriber): Promise<void> | undefined {
    subscriber.lastPullMs = this.#nowMs();
    if (!this.#subscribers.has(subscriber) || this.#send(subscriber)) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    subscriber.wake = resolve;
    return promise;
  }

  /** Sends what is new, or ends the stream; false when there is nothing to do yet. */
  #send(subscriber: Subscriber): boolean {
    const chunk = this.#log.read(subscriber.cursor, Math.min(MAX_PAGE_BYTES, MAX_HELD_BYTES / this.count));
    if (chunk !== undefined) {
      subscriber.cursor = chunk.lastSeq;
      subscriber.lastSentMs = this.#nowMs();
      subscriber.controller.enqueue(chunk.bytes);
    }
    if (this.#log.isOver(subscriber.cursor)) {
      this.#leave(subscriber);
      return true;
    }
    return chunk !== undefined;
  }

  #leave(subscriber: Subscriber): void {
    if (!this.#subscribers.delete(subscriber)) return;
    try {
      subscriber.controller.close();
    } catch {
      // Its client has already cancelled the stream, so there is nobody to tell.
    }
    wake(subscriber);
    if (this.#emptySinceMs === undefined && !this.hasSince(0)) {
      this.#emptySinceMs = this.#nowMs();
      this.#onEmpty();
    }
    if (this.#subscribers.size > 0) return;
    this.#gone?.resolve();
    if (this.#ticker !== null) clearInterval(this.#ticker);
    this.#ticker = null;
  }

  /** Checks log-ins in the background: no frame waits for the answer. */
  #checkLogins(login: SubscriberLogin | undefined, nowMs: number): void {
    if (login === undefined) return;
    this.#loginsCheckedMs = nowMs;
    void this.#loginCheck.ask(login.findLive);
  }

  #leaveLogins(revoked: ReadonlySet<string>): void {
    for (const subscriber of this.#subscribers) {
      if (subscriber.login !== undefined && revoked.has(subscriber.login.id)) this.#leave(subscriber);
    }
  }

  #tick(): void {
    const now = this.#nowMs();
    if (now - this.#loginsCheckedMs >= LOGIN_CHECK_MS) {
      this.#loginsCheckedMs = now;
      this.#checkLogins([...this.#subscribers].find(({ login }) => login !== undefined)?.login, now);
    }
    for (const subscriber of this.#subscribers) {
      const isAsking = subscriber.wake !== undefined;
      if (now - subscriber.joinedMs >= MAX_STREAM_AGE_MS) this.#leave(subscriber);
      else if (!isAsking && now - subscriber.lastPullMs >= MAX_STALL_MS) this.#leave(subscriber);
      else if (isAsking && now - subscriber.lastSentMs >= PING_AFTER_MS) {
        subscriber.lastSentMs = now;
        subscriber.controller.enqueue(PING);
        wake(subscriber);
      }
    }
  }
}
