/**
 * Ends a model call in which nothing arrives. It counts reads of bytes, because the API's pings are signs of life that are
 * no events; the SDK's own time-out covers the headers only.
 */
import { ModelFailure } from "./model-failure.ts";

/** The longest silence a model call may have, in ms: 60 s without a byte is `model_timeout` (CONTRACT §3). */
export const MAX_SILENCE_MS = 60_000;

const silence = (maxSilenceMs: number): ModelFailure =>
  new ModelFailure("model_timeout", `The model sent nothing for ${maxSilenceMs / 1000} seconds.`, {
    isRetryable: true,
  });

/** The watch over one call. Whoever makes it ends it, or its timer and its connection stay. */
export class IdleWatch {
  readonly #maxSilenceMs: number;
  readonly #connection = new AbortController();
  #waitingSinceMs: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `maxSilenceMs` is how long each wait may take. */
  constructor(maxSilenceMs: number) {
    this.#maxSilenceMs = maxSilenceMs;
  }

  /** Aborts at too long a silence and at `end`: give it to the `fetch` whose waits are watched. */
  get signal(): AbortSignal {
    return this.#connection.signal;
  }

  /**
   * Settles as `waiting` does, one wait at a time. The clock runs only in here: while our own reader is busy nothing is
   * read, and that silence is ours.
   *
   * @throws {ModelFailure} `model_timeout` when the wait takes too long; the connection is closed then.
   */
  async during<Value>(waiting: Promise<Value>): Promise<Value> {
    this.#waitingSinceMs = Date.now();
    // One timer for many waits: setting one for every chunk is a sixth of the CPU of a slow stream.
    this.#timer ??= setTimeout(this.#check, this.#maxSilenceMs);
    try {
      return await waiting;
    } catch (error) {
      // What an aborted wait rejects with is the runtime's; why it was aborted is ours.
      this.signal.throwIfAborted();
      throw error;
    } finally {
      this.#waitingSinceMs = undefined;
    }
  }

  /** Stops the clock and closes the connection if it is still open. */
  end(): void {
    clearTimeout(this.#timer);
    this.#connection.abort();
  }

  readonly #check = (): void => {
    this.#timer = undefined;
    if (this.#waitingSinceMs === undefined) return;
    const leftMs = this.#waitingSinceMs + this.#maxSilenceMs - Date.now();
    if (leftMs > 0) this.#timer = setTimeout(this.#check, leftMs);
    else this.#connection.abort(silence(this.#maxSilenceMs));
  };
}
