/**
 * The append-only log of a run. One row holds the frames of one append, so that a burst costs few rows; the newest frames are
 * also kept in memory as encoded bytes that all subscribers share. Every transcript ends with exactly one `run_end`:
 * `append` refuses anything after it, and across instances the terminal state does (`endRun`, `RunJournal`).
 */
import { parseJson } from "../../contract/parse-json.ts";
import { NumberedEvent, type TranscriptEvent } from "../../contract/transcript.ts";
import { formatFrame, joinFrames } from "../stream/sse.ts";

/** Newest frames kept in memory, in bytes; older ones are read from SQLite. */
const MAX_TAIL_BYTES = 1_000_000;

/** Most UTF-16 units of one row, at most three times as many bytes: SQLite rows are limited to 2 MB. */
const MAX_ROW_LENGTH = 512_000;

/** A piece of the log: whole frames, up to and including `lastSeq`. */
export type LogChunk = { readonly bytes: Uint8Array; readonly lastSeq: number };

/** A piece as it was appended: seqs `firstSeq` to `lastSeq` without a gap. */
type Chunk = LogChunk & { readonly firstSeq: number };

/** One run's log. Created per object instance; the source of truth is SQLite. */
export class Transcript {
  readonly #sql: SqlStorage;
  readonly #nowMs: () => number;
  #tail: Chunk[] = [];
  #tailBytes = 0;
  #lastSeq: number | undefined;
  #durableSeq: number | undefined;
  #isClosed = false;
  /** The piece read last: subscribers at the same cursor share it. */
  #shared: { readonly afterSeq: number; readonly chunk: LogChunk } | undefined;

  constructor(sql: SqlStorage, nowMs: () => number) {
    this.#sql = sql;
    this.#nowMs = nowMs;
  }

  /** Seq of the newest event; 0 before the first. */
  get lastSeq(): number {
    this.#lastSeq ??=
      this.#sql.exec<{ seq: number | null }>("SELECT max(last_seq) AS seq FROM transcript").one().seq ?? 0;
    return this.#lastSeq;
  }

  /** Called when the log was just created and is empty. */
  begin(): void {
    this.#lastSeq = 0;
  }

  /** Seq up to which frames may be sent: anything beyond it may not be on disk yet. */
  get durableSeq(): number {
    return this.#durableSeq ?? this.lastSeq;
  }

  /**
   * Numbers the events and writes them, in the caller's transaction. They can be read once `markDurable` has been called.
   * @throws {Error} when the log is closed, which is a bug.
   */
  append(events: readonly TranscriptEvent[]): void {
    if (events.length === 0) return;
    if (this.#isClosed) throw new Error(`A transcript ends with run_end; refused ${events[0]?.type}.`);
    this.#durableSeq ??= this.lastSeq;
    const at = new Date(this.#nowMs()).toISOString();
    for (const chunk of packFrames(events, this.lastSeq, at)) {
      this.#sql.exec("INSERT INTO transcript (last_seq, frames) VALUES (?, ?)", chunk.lastSeq, chunk.bytes);
      this.#tail.push(chunk);
      this.#tailBytes += chunk.bytes.byteLength;
      this.#lastSeq = chunk.lastSeq;
    }
    if (events.at(-1)?.type === "run_end") this.#isClosed = true;
    this.#trimTail();
  }

  /** Called when everything up to `seq` is on disk and may be sent. */
  markDurable(seq: number): void {
    this.#durableSeq = Math.max(this.durableSeq, seq);
    this.#shared = undefined;
  }

  /** Drops the copy in memory, after a transaction was rolled back. */
  reset(): void {
    this.#tail = [];
    this.#tailBytes = 0;
    this.#lastSeq = undefined;
    this.#isClosed = false;
    this.#shared = undefined;
  }

  /** What may be sent with seq > `afterSeq`, up to `maxBytes` of it or one frame; undefined when there is nothing. */
  read(afterSeq: number, maxBytes: number): LogChunk | undefined {
    if (afterSeq >= this.durableSeq) return undefined;
    if (this.#shared?.afterSeq !== afterSeq) {
      const parts = this.#readTail(afterSeq, maxBytes) ?? this.#readPage(afterSeq, maxBytes);
      this.#shared = { afterSeq, chunk: joinFrames(parts, afterSeq, maxBytes) };
    }
    return this.#shared.chunk;
  }

  /** All events with seq > `afterSeq`, parsed, oldest first. For recovery; clients get bytes. */
  *events(afterSeq: number): Generator<NumberedEvent> {
    const rows = this.#sql.exec<Row>(
      "SELECT last_seq, frames FROM transcript WHERE last_seq > ? ORDER BY last_seq",
      afterSeq,
    );
    for (const { frames } of rows) {
      for (const frame of decoder.decode(frames).split("\n\n")) {
        const data = frame.indexOf("data: ");
        if (data < 0) continue;
        const event = NumberedEvent.safeParse(parseJson(frame.slice(data + 6))).data;
        // An event that an earlier release wrote in another shape is left out.
        if (event !== undefined && event.seq > afterSeq) yield event;
      }
    }
  }

  #readTail(afterSeq: number, maxBytes: number): Uint8Array[] | undefined {
    if (this.#tail[0] === undefined || afterSeq + 1 < this.#tail[0].firstSeq) return undefined;
    const page: Uint8Array[] = [];
    let bytes = 0;
    for (const chunk of this.#tail) {
      if (chunk.lastSeq <= afterSeq) continue;
      if (chunk.lastSeq > this.durableSeq || bytes >= maxBytes) break;
      page.push(chunk.bytes);
      bytes += chunk.bytes.byteLength;
    }
    return page;
  }

  #readPage(afterSeq: number, maxBytes: number): Uint8Array[] {
    const page: Uint8Array[] = [];
    let bytes = 0;
    const rows = this.#sql.exec<Row>(
      "SELECT last_seq, frames FROM transcript WHERE last_seq > ? AND last_seq <= ? ORDER BY last_seq",
      afterSeq,
      this.durableSeq,
    );
    for (const { frames } of rows) {
      page.push(new Uint8Array(frames));
      bytes += frames.byteLength;
      if (bytes >= maxBytes) break;
    }
    return page;
  }

  #trimTail(): void {
    while (this.#tailBytes > MAX_TAIL_BYTES && this.#tail.length > 1) {
      this.#tailBytes -= this.#tail.shift()?.bytes.byteLength ?? 0;
    }
  }
}

type Row = { last_seq: number; frames: ArrayBuffer };

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The events as frames, packed into rows of at most `MAX_ROW_LENGTH`; a single larger frame has a row of its own. */
const packFrames = (events: readonly TranscriptEvent[], lastSeq: number, at: string): Chunk[] => {
  const chunks: Chunk[] = [];
  let text = "";
  let firstSeq = lastSeq + 1;
  let seq = lastSeq;
  const close = () => {
    if (text !== "") chunks.push({ firstSeq, lastSeq: seq, bytes: encoder.encode(text) });
    text = "";
    firstSeq = seq + 1;
  };
  for (const event of events) {
    const frame = formatFrame(event, seq + 1, at);
    if (text.length + frame.length > MAX_ROW_LENGTH) close();
    text += frame;
    seq += 1;
  }
  close();
  return chunks;
};
