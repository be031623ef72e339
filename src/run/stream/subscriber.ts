/** One subscriber of a run: a cursor over its log. */
import type { FindLiveLogins } from "./login-check.ts";

/** The log-in a subscriber connected with. */
export type SubscriberLogin = { readonly id: string; readonly findLive: FindLiveLogins };

/** A stream, and how far it has been read. */
export type Subscriber = {
  cursor: number;
  readonly login: SubscriberLogin | undefined;
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  readonly sinceMs: number;
  lastSentMs: number;
  /** When it last asked for bytes. */
  lastPullMs: number;
  /** Resolves the pull that is waiting; undefined while no pull is. */
  wake: (() => void) | undefined;
};

/** Lets the subscriber's waiting pull continue. */
export const wake = (subscriber: Subscriber): void => {
  const resolve = subscriber.wake;
  subscriber.wake = undefined;
  resolve?.();
};
