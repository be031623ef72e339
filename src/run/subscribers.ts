/**
 * The subscribers of a run: each is a cursor over the log, pulled by its own backpressure. Nobody has a queue of their
 * own; a slow reader just stands further back. Leaving never aborts the run.
 */
import { LoginCheck } from "./login-check.ts";
import { STREAM_PING, STREAM_PRELUDE } from "./sse.ts";
import { type Subscriber, type SubscriberLogin, wake } from "./subscriber.ts";
import type { LogChunk } from "./transcript.ts";

/** Most subscribers of one run (CONTRACT §3): 128 MB are shared by all objects of an isolate. */
export const MAX_SUBSCRIBERS = 1_000;

/** A comment is sent after this much silence, so that proxies keep the connection. */
const PING_AFTER_MS = 10_000;

/** A subscriber that takes nothing for this long, though something waits for it, is dropped. */
const MAX_STALL_MS = 60_000;

/** A stream is ended after this long, between two frames; its client comes back with its cursor. */
const MAX_STREAM_AGE_MS = 15 * 60_000;

/** How often it is asked whether the subscribers' log-ins still count. */
const LOGIN_CHECK_MS = 60_000;

/** How often silence, stalls and age are looked at. */
const TICK_MS = 1_000;

const encoder = new TextEncoder();
const PRELUDE = encoder.encode(STREAM_PRELUDE);
const PING = encoder.encode(STREAM_PING);

/** The log as subscribers see it. */
export type Log = {
  /** What may be sent behind the cursor, or undefined when there is nothing now. */
  read(afterSeq: number): LogChunk | undefined;
  /** Whether nothing will ever come behind the cursor. */
  isOver(afterSeq: number): boolean;
};

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
  #gone: PromiseWithResolvers<void> | undefined;

  constructor(log: Log, nowMs: () => number) {
    this.#log = log;
    this.#nowMs = nowMs;
  }

  get count(): number {
    return this.#subscribers.size;
  }

  /**
   * A stream of frames with seq > `afterSeq`; it closes behind `run_end`, when `signal` aborts, and within a minute when
   * its log-in was revoked.
   */
  stream(afterSeq: number, signal: AbortSignal, login?: SubscriberLogin): ReadableStream<Uint8Array> {
    let subscriber: Subscriber | undefined;
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          const now = this.#nowMs();
          const joined: Subscriber = {
            cursor: afterSeq,
            login,
            controller,
            sinceMs: now,
            lastSentMs: now,
            lastPullMs: now,
            wake: undefined,
          };
          subscriber = joined;
          this.#subscribers.add(joined);
          // This workerd does not call `cancel` when a client goes away; the request's signal is what tells.
          signal.addEventListener("abort", () => this.#leave(joined), { once: true });
          this.#ticker ??= setInterval(() => this.#tick(), TICK_MS);
          controller.enqueue(PRELUDE);
          if (signal.aborted) this.#leave(joined);
          this.#checkLogins(login, now);
        },
        pull: () => (subscriber === undefined ? undefined : this.#pull(subscriber)),
        cancel: () => {
          if (subscriber !== undefined) this.#leave(subscriber);
        },
      },
      { highWaterMark: 0 },
    );
  }

  /** Sends what is new to everybody who is asking. */
  notify(): void {
    for (const subscriber of this.#subscribers) {
      if (subscriber.wake !== undefined && this.#send(subscriber)) wake(subscriber);
    }
  }

  /** Resolves when nobody is left. */
  gone(): Promise<void> {
    this.#gone ??= Promise.withResolvers<void>();
    if (this.#subscribers.size === 0) this.#gone.resolve();
    return this.#gone.promise;
  }

  /** Ends all streams: the run is gone. */
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

  /** Sends everything new as one chunk, or ends the stream; false when there is nothing to do yet. */
  #send(subscriber: Subscriber): boolean {
    const chunk = this.#log.read(subscriber.cursor);
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
      // Its client has cancelled the stream already: there is nobody to tell.
    }
    wake(subscriber);
    if (this.#subscribers.size > 0) return;
    this.#gone?.resolve();
    if (this.#ticker !== null) clearInterval(this.#ticker);
    this.#ticker = null;
  }

  /** Asks in passing: nobody's frames wait for the answer. */
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
      if (now - subscriber.sinceMs >= MAX_STREAM_AGE_MS) this.#leave(subscriber);
      else if (!isAsking && now - subscriber.lastPullMs >= MAX_STALL_MS) this.#leave(subscriber);
      else if (isAsking && now - subscriber.lastSentMs >= PING_AFTER_MS) {
        subscriber.lastSentMs = now;
        subscriber.controller.enqueue(PING);
        wake(subscriber);
      }
    }
  }
}
