/** Calls a run's or a session's object. What is called through here may be called twice: the second time changes nothing. */
import { AppError } from "../contract/app-error.ts";

/** What workerd tells about an error that came out of a call to an object. */
type CallError = Error & {
  /** The object's own code threw it. */
  readonly remote?: boolean;
  readonly durableObjectReset?: boolean;
  readonly retryable?: boolean;
};

/**
 * Calls once more, with a fresh stub, when the object went away in the middle. @throws {AppError} 503 when it cannot be
 * reached; an error that the object's own code threw is a bug and passes.
 */
export const reach = async <Result>(call: () => Promise<Result>): Promise<Result> => {
  try {
    return await call();
  } catch (first) {
    if (isBug(first)) throw first;
    return await call().catch((second: unknown) => {
      if (isBug(second)) throw second;
      console.warn(JSON.stringify({ level: "warn", message: "An object is unreachable.", error: String(second) }));
      throw new AppError(503, "The agent is unavailable. Try again.", { "Retry-After": "2" });
    });
  }
};

const isBug = (error: unknown): boolean => {
  if (!(error instanceof Error)) return true;
  const { remote, durableObjectReset, retryable }: CallError = error;
  return remote === true && durableObjectReset !== true && retryable !== true;
};
