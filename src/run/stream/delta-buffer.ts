/**
 * Merges deltas: the first of a message is sent at once, later ones wait at most 50 ms, and a frame holds at most 2 KB of text
 * (api.md §3). Merging saves written rows, which are the main cost of a stream.
 */
import type { EventOf, TranscriptEvent } from "../../contract/transcript.ts";

/** Longest time a delta waits. */
const MAX_WAIT_MS = 50;

/** Most text of one frame, in UTF-8 bytes. */
const MAX_DELTA_BYTES = 2_048;

/** Events that may wait: a message's start waits for its first delta, so that both share a row. */
type Delta = EventOf<"text_delta"> | EventOf<"thinking_delta"> | EventOf<"tool_output">;
type Waiting = EventOf<"message_start"> | EventOf<"todos"> | Delta;

/** Holds deltas back and calls `flush` when it is time to `take` them. */
export class DeltaBuffer {
  readonly #flush: () => void;
  readonly #nowMs: () => number;
  #waiting: Waiting[] = [];
  #lastTakenMs = 0;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(flush: () => void, nowMs: () => number) {
    this.#flush = flush;
    this.#nowMs = nowMs;
  }

  /** Adds a message's start; its first delta will be sent at once. */
  open(event: EventOf<"message_start">): void {
    this.#waiting.push(event);
    this.#lastTakenMs = 0;
    this.#schedule(MAX_WAIT_MS);
  }

  /** Adds a delta. Empty ones are dropped. */
  add(delta: Delta): void {
    if (delta.text === "") return;
    const last = this.#waiting.at(-1);
    if (last !== undefined && isSameStream(last, delta)) last.text += delta.text;
    else this.#waiting.push({ ...delta });
    const waitedMs = this.#nowMs() - this.#lastTakenMs;
    // A negative time means that the clock was set back, so nobody knows how long anything has waited.
    if (waitedMs >= MAX_WAIT_MS || waitedMs < 0) this.#flush();
    else this.#schedule(MAX_WAIT_MS - waitedMs);
  }

  /** Adds an event that is sent with whatever is written next, or after 50 ms at the latest. */
  hold(event: EventOf<"todos">): void {
    this.#waiting.push(event);
    this.#schedule(MAX_WAIT_MS);
  }

  /** Takes everything that is waiting, in frames of at most 2 KB of text each. */
  take(): TranscriptEvent[] {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#lastTakenMs = this.#nowMs();
    const events = this.#waiting.flatMap((event): Waiting[] => ("text" in event ? split(event) : [event]));
    this.#waiting = [];
    return events;
  }

  #schedule(delayMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#flush();
    }, delayMs);
  }
}

const isSameStream = (last: Waiting, delta: Delta): last is Delta => {
  if (last.type !== delta.type) return false;
  if (last.type === "tool_output" && delta.type === "tool_output") {
    return last.toolCallId === delta.toolCallId && last.stream === delta.stream;
  }
  return "messageId" in last && "messageId" in delta && last.messageId === delta.messageId;
};

const encoder = new TextEncoder();
const scratch = new Uint8Array(MAX_DELTA_BYTES);

/** Cuts a delta into pieces of at most 2 KB, never in the middle of a character. */
const split = (delta: Delta): Delta[] => {
  const pieces: Delta[] = [];
  let rest = delta.text;
  while (rest !== "") {
    const { read } = encoder.encodeInto(rest, scratch);
    pieces.push({ ...delta, text: rest.slice(0, read) });
    rest = rest.slice(read);
  }
  return pieces;
};
