/** Asks the run whose turn it is how it is, which also tells it that it may go. */
import type { Env } from "../env.ts";

/** What the run is. `unreachable`: it did not answer. */
export const askHead = async (
  env: Pick<Env, "RUNS">,
  runId: string,
  grant: number,
): Promise<"live" | "ended" | "unknown" | "unreachable"> => {
  try {
    return await env.RUNS.getByName(runId).granted(grant);
  } catch (error) {
    console.warn(
      JSON.stringify({ level: "warn", message: "The head run is unreachable.", runId, error: String(error) }),
    );
    return "unreachable";
  }
};
