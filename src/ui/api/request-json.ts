/** One request to this origin, JSON in and out. Responses are trusted by type: they follow the same contract. */
import { createStore } from "../state/store.ts";
import { ApiError } from "./api-error.ts";

/** True after a 401, until somebody signs in. */
export const signedOut = createStore(false);

/** How often somebody has signed in on this page: a 401 to a request sent before the last sign-in means nothing. */
let signIns = 0;

/**
 * Call it before a request, and the returned function when the response is 401: the sign-in screen then replaces the app,
 * unless somebody has signed in meanwhile.
 */
export const watchSignedOut = (): (() => void) => {
  const before = signIns;
  return () => {
    if (before === signIns) signedOut.set(true);
  };
};

/** Records that somebody has signed in. */
export const markSignedIn = (): void => {
  signIns += 1;
  signedOut.set(false);
};

const OFFLINE = "The server cannot be reached. Check your connection and try again.";

const UNREADABLE = "The server's response cannot be read. Reload the page.";

/** `body` is sent as JSON. */
type JsonRequest = {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Requests `path` and returns the JSON of the response.
 *
 * @throws {ApiError} with the server's words; status 0 when it cannot be reached. An abort rejects as `fetch` does.
 */
export const requestJson = async <Answer>(path: string, request: JsonRequest = {}): Promise<Answer> => {
  const { method = "GET", body, signal } = request;
  const onSignedOut = watchSignedOut();
  const response = await fetch(path, {
    method,
    headers: { ...request.headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw new ApiError(0, OFFLINE, { cause });
  });
  if (response.status === 401) onSignedOut();
  const requestId = response.headers.get("x-request-id") ?? undefined;
  const answer = await response.json().catch((cause: unknown) => {
    signal?.throwIfAborted();
    throw new ApiError(response.ok ? 0 : response.status, UNREADABLE, { requestId, cause });
  });
  if (!response.ok) {
    const retryAfterSeconds = secondsOf(response.headers.get("retry-after"));
    const code = response.headers.get("x-error-code") ?? undefined;
    throw new ApiError(response.status, messageOf(answer), { requestId, code, retryAfterSeconds });
  }
  return answer;
};

/** This server sends `Retry-After` in seconds, never as a date. */
const secondsOf = (header: string | null): number | undefined =>
  header !== null && /^\d+$/.test(header) ? Number(header) : undefined;

/** Error bodies are `{"error": string}` (api.md §1). */
const messageOf = (answer: unknown): string =>
  typeof answer === "object" && answer !== null && "error" in answer && typeof answer.error === "string"
    ? answer.error
    : UNREADABLE;
