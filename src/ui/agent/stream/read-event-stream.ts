/** One connection to a run's event stream: from the request to its last byte (api.md §3). */
import { createParser } from "eventsource-parser";
import { tryParseJson } from "../../../contract/parse-json.ts";
import type { NumberedEvent } from "../../../contract/transcript.ts";
import { type CloseReason, closeReasonOf, retryAfterMs, type StreamEnvironment } from "./stream-environment.ts";

/** How a connection ended. */
export type ConnectionEnd =
  | { readonly type: "closed"; readonly reason: CloseReason }
  /** The server has ended the connection and expects the client to come back (api.md §3). */
  | { readonly type: "ended" }
  /** Cut off, silent, or told to retry. `afterMs` is how long the server asks to wait. */
  | { readonly type: "lost"; readonly afterMs: number | undefined };

/** Called while a connection is read. */
type StreamListener = {
  /** The server has started to respond. */
  onOpen(): void;
  /** The event of one frame; undefined for anything else. */
  onFrame(event: NumberedEvent | undefined): void;
  /** The server's `retry:`. */
  onRetryMs(ms: number): void;
};

/** A stream counts as dead after `stallMs` of silence, more than twice the interval of the server's comments. */
type StreamRequest = {
  readonly url: string;
  readonly signal: AbortSignal;
  readonly stallMs: number;
  readonly environment: StreamEnvironment;
};

/** Reads one connection to its end. Never throws: an abort is `lost` as well. */
export const readEventStream = async (request: StreamRequest, listener: StreamListener): Promise<ConnectionEnd> => {
  const { environment, signal, stallMs } = request;
  const silent = new AbortController();
  let cancel = () => {};
  // The request counts too: a network can swallow it without a response.
  const touch = () => {
    cancel();
    cancel = environment.setTimer(() => silent.abort(), stallMs);
  };
  touch();
  signal.addEventListener("abort", () => cancel());
  try {
    const answer = await environment.fetch(request.url, {
      headers: { Accept: "text/event-stream", "X-Comes-Back": "true" },
      signal: AbortSignal.any([signal, silent.signal]),
    });
    if (!isEventStream(answer)) return await refusal(answer, environment.nowMs());
    listener.onOpen();
    await readFrames(answer.body, listener, touch);
    return { type: "ended" };
  } catch {
    // The network failed, it was aborted, or it was silent. Events so far are kept, and the cursor continues from there.
  } finally {
    cancel();
  }
  return LOST;
};

const LOST: ConnectionEnd = { type: "lost", afterMs: undefined };

/** A hotel's sign-in page responds with 200 too. */
const isEventStream = (answer: Response): answer is Response & { body: ReadableStream<Uint8Array> } =>
  answer.status === 200 &&
  answer.body !== null &&
  answer.headers.get("Content-Type")?.startsWith("text/event-stream") === true;

const refusal = async (answer: Response, nowMs: number): Promise<ConnectionEnd> => {
  await answer.body?.cancel();
  const reason = closeReasonOf(answer);
  if (reason !== undefined) return { type: "closed", reason };
  return { type: "lost", afterMs: retryAfterMs(answer.headers.get("Retry-After"), nowMs) };
};

const readFrames = async (
  body: ReadableStream<Uint8Array>,
  listener: StreamListener,
  onBytes: () => void,
): Promise<void> => {
  const parser = createParser({
    onEvent: ({ data }) => listener.onFrame([tryParseJson(data)].find(isNumberedEvent)),
    onRetry: (ms) => listener.onRetryMs(ms),
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    // A frame that was cut in the middle stays in the parser; the next connection brings it whole.
    if (done) return;
    onBytes();
    parser.feed(decoder.decode(value, { stream: true }));
  }
};

/** Collects events into batches. */
export type EventBatch = {
  add(event: NumberedEvent): void;
  /** Hands over the events collected so far. */
  flush(): void;
  /** Drops the events collected so far. */
  drop(): void;
};

/**
 * Collects events and hands them over once per frame, so that a burst of thousands costs a few renders.
 *
 * `onEvents` never gets an empty list.
 */
export const makeEventBatch = (
  environment: Pick<StreamEnvironment, "afterNextFrame">,
  onEvents: (events: readonly NumberedEvent[]) => void,
): EventBatch => {
  let events: NumberedEvent[] = [];
  let cancel: (() => void) | undefined;
  const take = (): NumberedEvent[] => {
    cancel?.();
    cancel = undefined;
    const taken = events;
    events = [];
    return taken;
  };
  const flush = () => {
    const taken = take();
    if (taken.length > 0) onEvents(taken);
  };
  return {
    add: (event) => {
      events.push(event);
      cancel ??= environment.afterNextFrame(flush);
    },
    flush,
    drop: take,
  };
};

/** Our own server sent it, so only its kind and number are checked: the schemas are 26 KB. */
const isNumberedEvent = (value: unknown): value is NumberedEvent =>
  typeof value === "object" &&
  value !== null &&
  "type" in value &&
  typeof value.type === "string" &&
  "seq" in value &&
  Number.isInteger(value.seq);
