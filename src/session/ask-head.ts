/** Asks the run whose turn it is how it is, which also tells it that it may go. */
import { within } from "../contract/within.ts";
import type { Env } from "../env.ts";

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
