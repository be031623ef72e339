/** One subscriber of a run: a cursor over its log. */
import type { LogChunk } from "../store/transcript.ts";
import type { FindLiveLogins } from "./login-check.ts";

/** The log as subscribers see it. */
export type Log = {
  /** What may be sent after the cursor, up to `maxBytes` of it or one frame; undefined when there is nothing now. */
  read(afterSeq: number, maxBytes: number): LogChunk | undefined;
  /** Whether nothing will ever follow the cursor. */
  isOver(afterSeq: number): boolean;
};

/** The log-in a subscriber connected with. */
export type SubscriberLogin = { readonly id: string; readonly findLive: FindLiveLogins };

/** Who subscribes. */
export type StreamClient = {
  readonly login?: SubscriberLogin | undefined;
  /** It said that it reconnects whenever its stream ends. */
  readonly comesBack?: boolean;
  /** No person sees what this client reads, so it does not count as watching. */
  readonly isUnseen?: boolean;
};

/** A stream, and how far it has been read. */
export type Subscriber = StreamClient & {
  cursor: number;
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  readonly joinedMs: number;
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

/**
 * Whether nothing shows that this client has read anything since `sinceMs`. Only a new connection shows that: a machine that sleeps
 * keeps its connection, and what it is sent stays in a buffer. Clients that do not reconnect by themselves always count as reading.
 */
export const isUnproven = ({ comesBack, joinedMs }: Subscriber, sinceMs: number): boolean =>
  comesBack === true && joinedMs < sinceMs;
