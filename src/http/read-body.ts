/** Reads a body whole, within a size and a time: neither one that never ends nor one that dawdles holds a request. */

/** What one body may take. `maxMs` is from the first read to the last byte. */
export type BodyLimits = { readonly maxBytes: number; readonly maxMs: number };

/** The bytes, or which limit was passed; the rest is not read then. Rejects when the connection breaks. */
export const readBody = async (
  body: ReadableStream<Uint8Array>,
  { maxBytes, maxMs }: BodyLimits,
): Promise<Uint8Array<ArrayBuffer> | "too_large" | "too_slow"> => {
  const reader = body.getReader();
  const bytes = new GrowingBytes(maxBytes);
  let isLate = false;
  let onLate = (): void => {};
  const timer = setTimeout(() => {
    isLate = true;
    onLate();
  }, maxMs);
  /** A promise of its own for each chunk: racing one for all of them would keep something for every byte that dawdles in. */
  const next = () =>
    new Promise<Awaited<ReturnType<typeof reader.read>> | undefined>((resolve, reject) => {
      onLate = () => resolve(undefined);
      reader.read().then(resolve, reject);
    });
  try {
    while (!isLate) {
      const chunk = await next();
      if (chunk === undefined) break;
      if (chunk.done) return bytes.whole();
      if (!bytes.add(chunk.value)) return leave(reader, "too_large");
    }
    return leave(reader, "too_slow");
  } finally {
    clearTimeout(timer);
  }
};

const leave = <Reason>(reader: ReadableStreamDefaultReader<Uint8Array>, reason: Reason): Reason => {
  // The sender may have gone meanwhile; nobody waits for the rest either way.
  reader.cancel().catch(() => undefined);
  return reason;
};

/** Bytes in one buffer that doubles: chunks may be single bytes, and an array of those would weigh many times as much. */
class GrowingBytes {
  readonly #max: number;
  #buffer = new Uint8Array(0);
  #size = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** False when it would be too many. */
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
