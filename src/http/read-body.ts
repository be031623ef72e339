/** Reads a whole body within a size and a time, so that neither an endless body nor a slow one holds a request. */

/** Limits of one body. `maxMs` is from the first read to the last byte. */
export type BodyLimits = { readonly maxBytes: number; readonly maxMs: number };

/**
 * How much of a refused body is still read. When data is left on a connection, the runtime closes it, sometimes before the
 * refusal was sent, and the next request on that connection is lost with it.
 */
const REST: BodyLimits = { maxBytes: 1_500_000, maxMs: 2_000 };

/**
 * The bytes, or which limit was exceeded; the rest of a body that is too large is read, within bounds. Rejects when the connection breaks.
 */
export const readBody = async (
  body: ReadableStream<Uint8Array>,
  limits: BodyLimits,
  rest: BodyLimits = REST,
): Promise<Uint8Array<ArrayBuffer> | "too_large" | "too_slow"> => {
  const reader = body.getReader();
  const bytes = new GrowingBytes(limits.maxBytes);
  const end = await readEach(reader, limits.maxMs, (chunk) => bytes.add(chunk));
  if (end === "done") return bytes.whole();
  // The sender may have disconnected meanwhile; the refusal is the same. A slow body is abandoned at once.
  await (end === "stopped" ? takeIn(reader, rest) : reader.cancel()).catch(() => undefined);
  return end === "stopped" ? "too_large" : "too_slow";
};

/** Reads a refused body, within bounds, and abandons the rest. Rejects when the connection breaks. */
export const skipBody = (body: ReadableStream<Uint8Array>): Promise<void> => takeIn(body.getReader(), REST);

type Reader = ReadableStreamDefaultReader<Uint8Array>;

const takeIn = async (reader: Reader, { maxBytes, maxMs }: BodyLimits): Promise<void> => {
  let left = maxBytes;
  const end = await readEach(reader, maxMs, ({ byteLength }) => {
    left -= byteLength;
    return left >= 0;
  });
  if (end !== "done") await reader.cancel();
};

/** Passes each chunk to `take`, until it returns false or the time is over. */
const readEach = async (
  reader: Reader,
  maxMs: number,
  take: (chunk: Uint8Array) => boolean,
): Promise<"done" | "stopped" | "late"> => {
  let isLate = false;
  let onLate = (): void => {};
  const timer = setTimeout(() => {
    isLate = true;
    onLate();
  }, maxMs);
  /** A new promise for each chunk: racing a single one would retain something for every byte of a slow body. */
  const next = () =>
    new Promise<Awaited<ReturnType<Reader["read"]>> | undefined>((resolve, reject) => {
      onLate = () => resolve(undefined);
      reader.read().then(resolve, reject);
    });
  try {
    while (!isLate) {
      const chunk = await next();
      if (chunk === undefined) break;
      if (chunk.done) return "done";
      if (!take(chunk.value)) return "stopped";
    }
    return "late";
  } finally {
    clearTimeout(timer);
  }
};

/** Bytes in one buffer that doubles: chunks may be single bytes, and an array of those would take many times the memory. */
class GrowingBytes {
  readonly #max: number;
  #buffer = new Uint8Array(0);
  #size = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** False when the limit would be exceeded. */
  add(chunk: Uint8Array): boolean {
    const size = this.#size + chunk.byteLength;
    if (size > this.#max) return false;
    if (size > this.#buffer.byteLength) {
      const grown = new Uint8Array(Math.min(this.#max, Math.max(size, this.#buffer.byteLength * 2)));
      grown.set(this.#buffer.subarray(0, this.#size));
      this.#buffer = grown;
    }
    this.#buffer.set(chunk, this.#size);
    this.#size = size;
    return true;
  }

  whole(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#size);
  }
}
