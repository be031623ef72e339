/** Asks the run whose turn it is how it is, which also tells it that it may go. */
import { within } from "../contract/within.ts";
import type { Env } from "../env.ts";

/** How often the head is asked how it is while somebody waits behind it, in ms. */
export const CHECK_INTERVAL_MS = 60_000;

/** How soon it is asked once somebody waits behind it: it may have died on its way to hand over. */
export const QUEUED_CHECK_MS = 1_000;

/** How soon a head that could not be reached is asked again. */
export const UNREACHABLE_PAUSE_MS = 5_000;

/** A head that cannot be reached for this long is dropped (RUN.md, Ending and handing over). */
export const MAX_UNREACHABLE_MS = 15 * 60_000;

/** Longest the run may take to answer, in ms. One that has ended hands over first, which takes a call to the session and one to D1. */
const ASK_LIMIT_MS = 30_000;

/** What the run is. `unreachable`: it did not answer. */
export const askHead = async (
  env: Pick<Env, "RUNS">,
  runId: string,
  grant: number,
): Promise<"live" | "ended" | "unknown" | "unreachable"> => {
  try {
    return await within(ASK_LIMIT_MS, async () => await env.RUNS.getByName(runId).granted(grant));
  } catch (error) {
    console.warn(
      JSON.stringify({ level: "warn", message: "The head run is unreachable.", runId, error: String(error) }),
    );
    return "unreachable";
  }
};
