/** Starts a turn from this tab, and follows its run. */
import type { TurnStartResponse } from "../../../contract/turn.ts";
import { requestJson } from "../../actions/request-json.ts";
import { flushNavigation } from "../../navigation/report-navigation.ts";
import { keepSent } from "../models/kept-choices.ts";
import type { ModelChoice } from "../models/model-choice.ts";
import { noteStarted } from "./kept-thread.ts";
import { openThread } from "./thread-keeper.ts";

/**
 * Sends `prompt`. The same `key` with the same prompt starts no second run, whatever became of the first answer.
 *
 * @throws {ApiError} with the server's words.
 */
export const sendTurn = async (
  threadId: string,
  prompt: string,
  { key, choice }: { readonly key: string; readonly choice: ModelChoice },
): Promise<void> => {
  // The agent must see the screen that the person asks about.
  await flushNavigation();
  const answer = await requestJson<TurnStartResponse>("/api/agent/turn", {
    method: "POST",
    body: { threadId, prompt, ...choice },
    headers: { "idempotency-key": key },
  });
  keepSent(threadId, choice);
  noteStarted(answer.runId);
  openThread(threadId).transcript.addRun({ runId: answer.runId, events: answer.events, prompt });
};
