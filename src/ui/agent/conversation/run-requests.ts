/** What a person can ask of a run. */
import type { PermissionDecision, PermissionSubject } from "../../../contract/permission.ts";
import { requestJson } from "../../actions/request-json.ts";

/** Stops a run. Its stream says what comes of it. @throws {ApiError} with the server's words. */
export const abortRun = async (runId: string): Promise<void> => {
  await requestJson(`/_framework/runs/${runId}/abort`, { method: "POST" });
};

/** Answers a permission request. @throws {ApiError} 409 and 410 when somebody or something else was first. */
export const answerRequest = async (
  runId: string,
  requestId: string,
  decision: PermissionDecision,
  message: string,
): Promise<void> => {
  const words = message.trim();
  await requestJson(`/_framework/runs/${runId}/permissions/${requestId}`, {
    method: "POST",
    body: decision === "reject" && words !== "" ? { decision, message: words } : { decision },
  });
};

/** A request's subject, uncut. @throws {ApiError} with the server's words. */
export const readWholeSubject = async (runId: string, requestId: string): Promise<PermissionSubject> => {
  const path = `/_framework/runs/${runId}/permissions/${requestId}`;
  return (await requestJson<{ readonly subject: PermissionSubject }>(path)).subject;
};

/** A run's prompt, uncut. @throws {ApiError} with the server's words. */
export const readWholePrompt = async (runId: string): Promise<string> =>
  (await requestJson<{ readonly prompt: string }>(`/_framework/runs/${runId}/prompt`)).prompt;
