/** Keeps what a command prints, up to 1 MB of both streams together: its beginning and its end. */
import type { CommandResult } from "../../workspace/workspace.ts";

/** UTF-8 bytes kept in all (1 MiB), and how many of them are the beginning. The end of a log matters more than its middle. */
const MAX_KEPT_BYTES = 1_048_576;
const HEAD_BYTES = MAX_KEPT_BYTES / 2;

/** Chunks up to this size are joined. */
const JOINED_BYTES = 16_384;

type Stream = "stdout" | "stderr";

/** Part of a stream as read from the pipe: at most 64 KiB, so that whole chunks can be kept or dropped. */
type Chunk = { readonly stream: Stream; readonly text: string; readonly byteLength: number };

/** Collects the output of one command. */
export class OutputKeeper {
  readonly #head: Chunk[] = [];
  readonly #tail: Chunk[] = [];
  readonly #dropped: Record<Stream, number> = { stdout: 0, stderr: 0 };
  #headBytes = 0;
  #tailBytes = 0;

  /** Adds text in the order of arrival. */
  add(stream: Stream, text: string): void {
    const chunk = this.#join({ stream, text, byteLength: Buffer.byteLength(text) });
    if (this.#tail.length === 0 && this.#headBytes + chunk.byteLength <= HEAD_BYTES) {
      this.#head.push(chunk);
      this.#headBytes += chunk.byteLength;
      return;
    }
    this.#tail.push(chunk);
    this.#tailBytes += chunk.byteLength;
    while (this.#headBytes + this.#tailBytes > MAX_KEPT_BYTES) this.#dropOldest();
  }

  /** Joins a small chunk to the last one of the tail: a program may print its megabyte byte by byte. */
  #join(chunk: Chunk): Chunk {
    const last = this.#tail.at(-1);
    if (last === undefined || last.stream !== chunk.stream || last.byteLength + chunk.byteLength > JOINED_BYTES) {
      return chunk;
    }
    this.#tail.pop();
    this.#tailBytes -= last.byteLength;
    return { ...chunk, text: last.text + chunk.text, byteLength: last.byteLength + chunk.byteLength };
  }

  /** What was kept, with a line in each stream that says how much is left out there. */
  result(): Pick<CommandResult, "stdout" | "stderr" | "isCut"> {
    return {
      stdout: this.#textOf("stdout"),
      stderr: this.#textOf("stderr"),
      isCut: this.#dropped.stdout + this.#dropped.stderr > 0,
    };
  }

  #dropOldest(): void {
    const oldest = this.#tail.shift();
    if (oldest === undefined) return;
    this.#tailBytes -= oldest.byteLength;
    this.#dropped[oldest.stream] += oldest.byteLength;
  }

  #textOf(stream: Stream): string {
    const join = (chunks: readonly Chunk[]) =>
      chunks
        .filter((chunk) => chunk.stream === stream)
        .map((chunk) => chunk.text)
        .join("");
    const dropped = this.#dropped[stream];
    return `${join(this.#head)}${dropped > 0 ? `\n[${dropped} bytes left out]\n` : ""}${join(this.#tail)}`;
  }
}
