/** Calls a Durable Object. A method called through here may be called twice, so repeating it must change nothing. */
import { type AppError, unavailable } from "../contract/app-error.ts";
import { log } from "../contract/log.ts";
import { TimedOut, within } from "../contract/within.ts";

/** How long a call may take, in ms: an abort answers within 3 s, and deleting an object's data takes the longest. */
const CALL_LIMIT_MS = 30_000;

/** What workerd adds to an error from a call to an object. */
type CallError = Error & {
  /** The object's own code threw it. */
  readonly remote?: boolean;
  readonly durableObjectReset?: boolean;
  readonly retryable?: boolean;
  /** It has more calls than it can do; https://developers.cloudflare.com/durable-objects/best-practices/error-handling/ */
  readonly overloaded?: boolean;
};

/**
 * Repeats the call once, with a new stub, when the object went away during it. @throws {AppError} 503 when it cannot be reached, is
 * overloaded or does not answer; an error thrown by the object's own code is a bug and passes through.
 */
export const reach = async <Result>(call: () => Promise<Result>): Promise<Result> => {
  try {
    return await within(CALL_LIMIT_MS, call);
  } catch (first) {
    if (!isOutage(first)) throw first;
    // Nobody waits twice for an object that hangs, and repeated calls keep an overloaded one overloaded.
    if (first instanceof TimedOut || first.overloaded) throw unreachable(first);
    return await within(CALL_LIMIT_MS, call).catch((second: unknown) => {
      throw isOutage(second) ? unreachable(second) : second;
    });
  }
};

const unreachable = (error: unknown): AppError => {
  log.warn("An object is unreachable.", { error });
  return unavailable(2);
};

/** Whether the object itself is the trouble, and not a bug in its code. */
const isOutage = (error: unknown): error is CallError => {
  if (!(error instanceof Error)) return false;
  const { remote, durableObjectReset, retryable, overloaded }: CallError = error;
  return !remote || durableObjectReset || retryable || overloaded || false;
};
