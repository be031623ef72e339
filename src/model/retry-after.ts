/** How long a provider asks us to wait. */

/**
 * Reads `retry-after-ms` (milliseconds) or `retry-after` (seconds or an HTTP date, RFC 9110 §10.2.3). Undefined when neither
 * can be read; a date in the past is 0.
 */
export const retryAfterMs = (headers: Headers | undefined, nowMs: number): number | undefined => {
  const inMs = readNumber(headers?.get("retry-after-ms"));
  if (inMs !== undefined) return Math.ceil(inMs);
  const asked = headers?.get("retry-after");
  const seconds = readNumber(asked);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const atMs = Date.parse(asked ?? "");
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
};

const readNumber = (text: string | null | undefined): number | undefined =>
  text && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
