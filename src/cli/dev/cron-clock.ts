/** Runs the Worker's cron under the dev command: wrangler runs it only when asked. */
import { setTimeout as delay } from "node:timers/promises";

/**
 * Where wrangler is asked to run the cron. Anybody on this machine can ask: the Worker recognizes us by the secret that is passed as the
 * cron expression.
 */
const PATH = "/cdn-cgi/local/scheduled?cron=";

/** How often a deployed Worker's cron runs (wrangler.toml). */
const MINUTE_MS = 60_000;

/** The time between two runs. Rejects when `signal` aborts. */
export const minute = (signal: AbortSignal): Promise<void> => delay(MINUTE_MS, undefined, { signal });

/**
 * Runs the cron at once, for what became due while nothing was running, then each minute until `signal` aborts. `port` is
 * wrangler's, `secret` the Worker's `FRONT_SECRET`; `onAnswer` is called after each run. The app logs a run that fails, and the next run
 * comes all the same.
 */
export const runCronEachMinute = async (
  { port, secret, onAnswer }: { readonly port: number; readonly secret: string; readonly onAnswer: () => void },
  signal: AbortSignal,
  wait = minute,
): Promise<void> => {
  while (!signal.aborted) {
    await fetch(`http://127.0.0.1:${port}${PATH}${encodeURIComponent(secret)}`, { signal })
      .then((response) => response.arrayBuffer())
      .catch(() => undefined);
    onAnswer();
    // The loop's condition notices an abort.
    await wait(signal).catch(() => undefined);
  }
};
