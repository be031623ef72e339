/** The wire format of the event stream, pure: frames out, cursors in (api.md §3). */
import { AppError } from "../../contract/app-error.ts";
import type { TranscriptEvent } from "../../contract/transcript.ts";

/** How every stream begins: how soon a client reconnects, and a comment so that proxies let it through. */
export const STREAM_PRELUDE = "retry: 2000\n\n: connected\n\n";

/** Sent after 10 s of silence. */
export const STREAM_PING = ": ping\n\n";

const encoder = new TextEncoder();
export const PRELUDE = encoder.encode(STREAM_PRELUDE);
export const PING = encoder.encode(STREAM_PING);

/** Headers of the stream. `no-transform` and `X-Accel-Buffering` keep proxies from holding frames back. */
export const STREAM_HEADERS: Readonly<Record<string, string>> = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
};

/**
 * One frame. `id` is the seq, so a reconnecting EventSource resumes by `Last-Event-ID`. No `event:` line: the kind is in
 * the JSON, and a kind called "error" would be taken for EventSource's own error event.
 */
export const formatFrame = (event: TranscriptEvent, seq: number, at: string): string => {
  const { type, ...fields } = event;
  return `id: ${seq}\ndata: ${JSON.stringify({ type, seq, at, ...fields })}\n\n`;
};

/** Where the frame that begins at `start` ends: after its third line break, since JSON contains no raw one. */
const frameEnd = (bytes: Uint8Array, start: number): number =>
  bytes.indexOf(10, bytes.indexOf(10, bytes.indexOf(10, start) + 1) + 1) + 1;

const decoder = new TextDecoder();

/**
 * The frames of these pieces of a log with seq > `afterSeq` that fit into `maxBytes`, at least one. The first piece may begin before them.
 */
export const joinFrames = (
  parts: readonly Uint8Array[],
  afterSeq: number,
  maxBytes: number,
): { readonly bytes: Uint8Array; readonly lastSeq: number } => {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  let start = 0;
  // A frame begins with `id: `.
  const firstSeq = Number.parseInt(decoder.decode(whole.subarray(4, 20)), 10);
  for (let seq = firstSeq; seq <= afterSeq; seq += 1) start = frameEnd(whole, start);
  let [end, lastSeq] = [start, afterSeq];
  while (end < whole.byteLength) {
    const next = frameEnd(whole, end);
    if (next - start > maxBytes && end > start) break;
    end = next;
    lastSeq += 1;
  }
  return { bytes: whole.slice(start, end), lastSeq };
};

/** At most 15 digits: every such number is below 2^53. */
const CURSOR = /^\d{1,15}$/;

/**
 * The last seq the client has. The header wins, even when it is invalid: a reconnect is newer than its URL. Without a cursor,
 * or with an empty `after`, it is 0. @throws {AppError} 400 `Invalid event cursor.`
 */
export const parseCursor = (lastEventId: string | null, after: string | null): number => {
  const cursor = lastEventId ?? (after === "" ? null : after);
  if (cursor === null) return 0;
  if (!CURSOR.test(cursor)) throw new AppError(400, "Invalid event cursor.");
  return Number(cursor);
};
