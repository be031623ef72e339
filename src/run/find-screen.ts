/** The screen the person looks at, for the system prompt. */
import { errorText } from "../contract/error-text.ts";
import { openDb } from "../db/db.ts";
import { findNavigation } from "../db/navigation.ts";
import type { Env } from "../env.ts";
import type { RunSpec } from "./run-spec.ts";

/** The navigation state as JSON, or undefined. It only helps the model: a turn goes on without it when D1 does not answer. */
export const findScreen = async (env: Env, { ownerEmail, runId }: RunSpec): Promise<string | undefined> => {
  try {
    return await findNavigation(openDb(env.DB), ownerEmail);
  } catch (error) {
    console.warn(
      JSON.stringify({ level: "warn", message: "No screen for this turn.", runId, error: errorText(error) }),
    );
    return undefined;
  }
};
