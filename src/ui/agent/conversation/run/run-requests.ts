import type { PermissionDecision, PermissionSubject } from "../../../../contract/permission.ts";
import { requestJson } from "../../../api/request-json.ts";

/** Stops a run. Its stream reports the outcome. @throws {ApiError} with the server's words. */
export const abortRun = async (runId: string): Promise<void> => {
  await requestJson(`/_framework/runs/${runId}/abort`, { method: "POST" });
};

/** Answers a permission request. @throws {ApiError} 409 or 410 when it was answered already or has expired. */
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

/** Answers questions, or declines to. @throws {ApiError} 409 or 410 when they were closed already. */
export const answerQuestions = async (
  runId: string,
  requestId: string,
  answers: readonly (readonly string[])[] | undefined,
): Promise<void> => {
  await requestJson(`/_framework/runs/${runId}/questions/${requestId}`, {
    method: "POST",
    body: answers === undefined ? { declined: true } : { answers },
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
