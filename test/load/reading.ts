/** What one subscriber has received of a run: frames checked for order and hashed, so that 500 of them cost little. */
import { createHash } from "node:crypto";

/** Beginning and end of frames; comments and `retry:` begin otherwise. */
const FRAME_START = "id: ";
const FRAME_GAP = "\n\n";

/** Quotes inside of strings are escaped, so nothing but the event itself holds this. */
const END_MARK = '"type":"run_end"';

/** Grows with the stream until `run_end`. */
export class Reading {
  lastSeq = 0;
  isEnded = false;
  /** Whole frames, where they are kept. */
  readonly frames: string[] | undefined;
  readonly problems: string[] = [];
  readonly #hash = createHash("sha256");
  #rest = "";

  constructor(options: { readonly keepsFrames?: boolean } = {}) {
    this.frames = options.keepsFrames === true ? [] : undefined;
  }

  /** Takes a piece of the stream as it came. */
  take(text: string): void {
    const parts = (this.#rest + text).split(FRAME_GAP);
    this.#rest = parts.pop() ?? "";
    for (const part of parts) if (part.startsWith(FRAME_START)) this.#takeFrame(part);
  }

  /** A connection has ended: half a frame is nothing. */
  drop(): void {
    this.#rest = "";
  }

  /** Equal for equal bytes in equal order. To be asked once, after the end. */
  digest(): string {
    return this.#hash.digest("hex");
  }

  #takeFrame(frame: string): void {
    const seq = Number.parseInt(frame.slice(FRAME_START.length), 10);
    if (seq !== this.lastSeq + 1) this.problems.push(`seq ${seq} came after ${this.lastSeq}`);
    if (this.isEnded) this.problems.push(`seq ${seq} came after run_end`);
    this.lastSeq = seq;
    this.#hash.update(frame);
    this.frames?.push(frame);
    if (frame.includes(END_MARK)) this.isEnded = true;
  }
}
