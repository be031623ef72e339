/** One request to this origin, JSON in and out. Answers are trusted by type: they come from the same contract. */
import { ApiError } from "./api-error.ts";
import { watchSignedOut } from "./signed-out.ts";

const OFFLINE = "The server cannot be reached. Check the connection and try again.";
const UNREADABLE = "The server's answer cannot be read. Reload the page.";

/** `body` is sent as JSON. */
type JsonRequest = {
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE";
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
};

/**
 * The answer of `path`.
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

/** This server writes `Retry-After` in seconds, never as a date. */
const secondsOf = (header: string | null): number | undefined =>
  header !== null && /^\d+$/.test(header) ? Number(header) : undefined;

/** Error bodies are `{"error": string}` (spec §7). */
const messageOf = (answer: unknown): string =>
  typeof answer === "object" && answer !== null && "error" in answer && typeof answer.error === "string"
    ? answer.error
    : UNREADABLE;
