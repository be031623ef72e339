/** Calls a run's or a session's object. What is called through here may be called twice: the second time changes nothing. */
import { AppError } from "../contract/app-error.ts";
import { TimedOut, within } from "../contract/within.ts";

/** Longest a call may take, in ms: an abort answers within 3 s, and deleting what an object holds takes the longest. */
const CALL_LIMIT_MS = 30_000;

/** What workerd tells about an error that came out of a call to an object. */
type CallError = Error & {
  /** The object's own code threw it. */
  readonly remote?: boolean;
  readonly durableObjectReset?: boolean;
  readonly retryable?: boolean;
};

/**
 * Calls once more, with a fresh stub, when the object went away in the middle. @throws {AppError} 503 when it cannot be
 * reached or says nothing; an error that the object's own code threw is a bug and passes.
 */
export const reach = async <Result>(call: () => Promise<Result>): Promise<Result> => {
  try {
    return await within(CALL_LIMIT_MS, call);
  } catch (first) {
    if (isBug(first)) throw first;
    // Nobody waits twice as long for one that hangs.
    if (first instanceof TimedOut) throw unreachable(first);
    return await within(CALL_LIMIT_MS, call).catch((second: unknown) => {
      throw isBug(second) ? second : unreachable(second);
    });
  }
};

const unreachable = (error: unknown): AppError => {
  console.warn(JSON.stringify({ level: "warn", message: "An object is unreachable.", error: String(error) }));
  return new AppError(503, "The agent is unavailable. Try again.", { "Retry-After": "2" });
};

const isBug = (error: unknown): boolean => {
  if (!(error instanceof Error)) return true;
  const { remote, durableObjectReset, retryable }: CallError = error;
  return remote === true && durableObjectReset !== true && retryable !== true;
};
