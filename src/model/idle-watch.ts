/**
 * A `fetch` that gives up when nothing arrives. It counts bytes, because the API's pings are signs of life that the SDK
 * swallows; its own time-out covers the headers only.
 */
import { ModelFailure } from "./model-failure.ts";

/** The longest silence a model call may have, in ms: 60 s without a byte is `model_timeout` (CONTRACT §3). */
export const MAX_SILENCE_MS = 60_000;

const silence = (maxSilenceMs: number): ModelFailure =>
  new ModelFailure("model_timeout", `The model sent nothing for ${maxSilenceMs / 1000} seconds.`, {
    isRetryable: true,
  });

/** Resolves as `waiting` does, or calls `giveUp` and rejects with its failure when that takes too long. */
const within = async <Value>(
  waiting: Promise<Value>,
  maxSilenceMs: number,
  giveUp: (failure: ModelFailure) => void,
): Promise<Value> => {
  const idle = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const failure = silence(maxSilenceMs);
    // First: giving up ends the wait too, and the failure must be what it ends with.
    idle.reject(failure);
    giveUp(failure);
  }, maxSilenceMs);
  try {
    return await Promise.race([waiting, idle.promise]);
  } finally {
    clearTimeout(timer);
  }
};

/** The body, failing when a read waits too long. While our own reader is busy nothing is read: that silence is ours. */
const watchBody = (body: ReadableStream<Uint8Array>, maxSilenceMs: number): ReadableStream<Uint8Array> => {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await within(reader.read(), maxSilenceMs, (failure) => {
        // The connection is given up; whether it closes in good order changes nothing any more.
        reader.cancel(failure).catch(() => undefined);
      });
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
};

/**
 * Wraps `fetch`: headers and each read of the body must come within `maxSilenceMs`, else the connection is closed and the
 * call or the read rejects with {@link ModelFailure} `model_timeout`.
 */
export const fetchWithin =
  (maxSilenceMs: number): typeof fetch =>
  async (input, init) => {
    const silent = new AbortController();
    const signals = init?.signal ? [init.signal, silent.signal] : [silent.signal];
    const asked = fetch(input, { ...init, signal: AbortSignal.any(signals) });
    const response = await within(asked, maxSilenceMs, (failure) => silent.abort(failure));
    if (response.body === null) return response;
    return new Response(watchBody(response.body, maxSilenceMs), response);
  };
