/**
 * Ends a model call in which nothing arrives. It watches reads of bytes, because the API's pings are signs of life but not events;
 * the SDK's own time-out covers only the headers.
 */
import { ModelFailure } from "../model-failure.ts";

/** The longest silence a model call may have, in ms: 60 s without a byte is `model_timeout` (api.md §3). */
export const MAX_SILENCE_MS = 60_000;

const silence = (maxSilenceMs: number): ModelFailure =>
  new ModelFailure("model_timeout", `The model sent nothing for ${maxSilenceMs / 1000} seconds.`, {
    isRetryable: true,
  });

/** Watches one call. Whoever creates it must end it, or its timer and its connection remain. */
export class IdleWatch {
  readonly #maxSilenceMs: number;
  readonly #connection = new AbortController();
  #waitingSinceMs: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `maxSilenceMs` is how long each wait may take. */
  constructor(maxSilenceMs: number) {
    this.#maxSilenceMs = maxSilenceMs;
  }

  /** Aborts after too long a silence and at `end`: pass it to the `fetch` whose waits are watched. */
  get signal(): AbortSignal {
    return this.#connection.signal;
  }

  /**
   * Settles like `waiting`; one wait at a time. The clock runs only during it: while our own code is busy nothing is read, and that
   * silence is not the provider's.
   *
   * @throws {ModelFailure} `model_timeout` when the wait takes too long; the connection is then closed.
   */
  async during<Value>(waiting: Promise<Value>): Promise<Value> {
    this.#waitingSinceMs = Date.now();
    // One timer for many waits: setting one for every chunk is a sixth of the CPU of a slow stream.
    this.#timer ??= setTimeout(this.#check, this.#maxSilenceMs);
    try {
      return await waiting;
    } catch (error) {
      // An aborted wait rejects with the runtime's error; the reason of the abort is ours.
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
