/** What a person does to lead the agent besides writing to it: say something to a run that works, go back, branch. */
import { ApiError } from "../../../api/api-error.ts";
import { requestJson } from "../../../api/request-json.ts";
import { threadPath } from "../../../api/thread-path.ts";
import { withKey } from "../../../state/unsent-keys.ts";

/** Messages that this tab has sent to runs. A message that goes unused is put back into the composer of this tab only. */
const sentHere = new Set<string>();

/** Whether this tab sent a message. */
export const wasSentHere = (messageId: string): boolean => sentHere.has(messageId);

/**
 * Gives the run a message while it works, and returns the message's id, or undefined if the run has ended meanwhile. The same `key`
 * sends it once.
 *
 * @throws {ApiError} with the server's words.
 */
export const steerRun = async (runId: string, text: string, key: string): Promise<string | undefined> => {
  try {
    const { messageId } = await requestJson<{ readonly messageId: string }>(`/_framework/runs/${runId}/messages`, {
      method: "POST",
      body: { text },
      headers: { "idempotency-key": key },
    });
    sentHere.add(messageId);
    return messageId;
  } catch (error) {
    if (error instanceof ApiError && error.code === "run_ended") return undefined;
    throw error;
  }
};

/** Goes back to before a run. @throws {ApiError} with the server's words. */
export const rewindThread = async (threadId: string, beforeRunId: string): Promise<void> => {
  await requestJson(`${threadPath(threadId)}/rewind`, { method: "POST", body: { beforeRunId } });
};

/** Makes a new chat of what was said before a run, and returns its id. @throws {ApiError} with the server's words. */
export const forkThread = async (threadId: string, beforeRunId: string): Promise<string> => {
  const { threadId: fork } = await withKey(`fork ${threadId} ${beforeRunId}`, (key) =>
    requestJson<{ readonly threadId: string }>(`${threadPath(threadId)}/fork`, {
      method: "POST",
      body: { beforeRunId },
      headers: { "idempotency-key": key },
    }),
  );
  return fork;
};
