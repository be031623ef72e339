/** The screen the person looks at, for the system prompt. */
import { errorText } from "../contract/error-text.ts";
import { within } from "../contract/within.ts";
import { openDb } from "../db/db.ts";
import { findNavigation } from "../db/navigation.ts";
import type { Env } from "../env.ts";
import type { RunSpec } from "./run-spec.ts";

/** Longest a turn waits for it, in ms, as for the project's instructions. */
const MAX_WAIT_MS = 3_000;

/** The navigation state as JSON, or undefined. It only helps the model: a turn goes on without it when D1 does not answer. */
export const findScreen = async (env: Env, { ownerEmail, runId }: RunSpec): Promise<string | undefined> => {
  try {
    return await within(MAX_WAIT_MS, () => findNavigation(openDb(env.DB), ownerEmail));
  } catch (error) {
    console.warn(
      JSON.stringify({ level: "warn", message: "No screen for this turn.", runId, error: errorText(error) }),
    );
    return undefined;
  }
};
