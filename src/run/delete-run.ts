/** A run's last moments when its thread is deleted: whoever watches it reads how it ended, then nothing of it is left. */
import { errorText } from "../contract/error-text.ts";
import type { Env } from "../env.ts";
import { ABORTED, endRun } from "./end-run.ts";
import { forgetRun } from "./forget-run.ts";
import type { Ledger } from "./ledger.ts";

/** Longest the deletion waits for subscribers to take the end, in ms: who reads takes it at once, who does not has stalled. */
const LAST_FRAMES_MS = 1_000;

/** Ends the run as aborted, its streams behind that, and deletes everything. Its loop has been told to stop. */
export const deleteRun = async (ledger: Ledger, env: Env, nowMs: number): Promise<void> => {
  try {
    if (ledger.runs.find() !== undefined) {
      endRun(ledger, ABORTED, nowMs);
      await ledger.flush();
      await Promise.race([ledger.subscribers.gone(), scheduler.wait(LAST_FRAMES_MS)]);
    }
  } catch (error) {
    // What cannot be ended, as a row that cannot be read, is deleted all the same.
    console.warn(JSON.stringify({ level: "warn", message: "Deleted without an end.", error: errorText(error) }));
  }
  await forgetRun(ledger, env, nowMs);
};
