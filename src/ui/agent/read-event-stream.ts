/** One connection to a run's event stream: from the request to its last byte (CONTRACT §3). */
import { createParser } from "eventsource-parser";
import { type CloseReason, closeReasonOf, retryAfterMs } from "./stream-connection.ts";
import type { StreamEnvironment } from "./stream-environment.ts";

/** How a connection ended. */
export type ConnectionEnd =
  | { readonly type: "closed"; readonly reason: CloseReason }
  /** Cut, silent, or put off: ask again. `afterMs` is the server's wish. */
  | { readonly type: "lost"; readonly afterMs: number | undefined };

/** What it is told meanwhile. */
export type StreamListener = {
  /** The server has begun to answer. */
  onOpen(): void;
  /** The JSON of one frame. */
  onFrame(json: string): void;
  /** The server's `retry:`. */
  onRetryMs(ms: number): void;
};

/** A stream is dead when it was silent for `stallMs`, which is more than two of the server's comments apart. */
export type StreamRequest = {
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
  // The request itself counts too: a network can swallow it without an answer.
  const touch = () => {
    cancel();
    cancel = environment.setTimer(() => silent.abort(), stallMs);
  };
  touch();
  signal.addEventListener("abort", () => cancel());
  try {
    const answer = await environment.fetch(request.url, {
      headers: { Accept: "text/event-stream" },
      signal: AbortSignal.any([signal, silent.signal]),
    });
    if (!isEventStream(answer)) return await refusal(answer, environment.nowMs());
    listener.onOpen();
    await readFrames(answer.body, listener, touch);
  } catch {
    // The network, an abort or the silence; what came before is kept, and the cursor goes on from there.
  } finally {
    cancel();
  }
  return LOST;
};

const LOST: ConnectionEnd = { type: "lost", afterMs: undefined };

/** A hotel's sign-in page answers 200 as well. */
const isEventStream = (answer: Response): answer is Response & { body: ReadableStream<Uint8Array> } =>
  answer.status === 200 &&
  answer.body !== null &&
  answer.headers.get("Content-Type")?.startsWith("text/event-stream") === true;

const refusal = async (answer: Response, nowMs: number): Promise<ConnectionEnd> => {
  await answer.body?.cancel();
  const reason = closeReasonOf(answer.status);
  if (reason !== undefined) return { type: "closed", reason };
  return { type: "lost", afterMs: retryAfterMs(answer.headers.get("Retry-After"), nowMs) };
};

const readFrames = async (
  body: ReadableStream<Uint8Array>,
  listener: StreamListener,
  onBytes: () => void,
): Promise<void> => {
  const parser = createParser({
    onEvent: ({ data }) => listener.onFrame(data),
    onRetry: (ms) => listener.onRetryMs(ms),
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    // A frame that was cut in the middle is left in the parser: the next connection brings it whole.
    if (done) return;
    onBytes();
    parser.feed(decoder.decode(value, { stream: true }));
  }
};
