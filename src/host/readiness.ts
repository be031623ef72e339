/** When the Worker answers. Wrangler's own "Ready" comes before its first build has been tried. */
import { setTimeout as delay } from "node:timers/promises";

/** Time between two questions, in ms. */
const POLL_MS = 50;

/** Resolves to true once `GET /_framework/health` answers 200, and to false when `signal` aborts first. */
export const waitUntilHealthy = async (
  port: number,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<boolean> => {
  while (!signal.aborted) {
    if (await isHealthy(port, headers, signal)) return true;
    // Rejects when the signal aborts, which the loop's condition sees.
    await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
  return false;
};

const isHealthy = async (
  port: number,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<boolean> => {
  try {
    // Not `localhost`: that may try ::1 first, where nothing listens.
    const response = await fetch(`http://127.0.0.1:${port}/_framework/health`, { headers, signal });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    // Nothing listens yet, or the connection was cut while the Worker was loaded.
    return false;
  }
};
