/** What a person can ask of a thread. All reject with `ApiError`, in the server's words. */
import type { RuleView } from "../../../contract/permission.ts";
import type { ThreadCompaction } from "../../../contract/thread.ts";
import { requestJson } from "../../actions/request-json.ts";

const pathOf = (threadId: string): string => `/_framework/threads/${encodeURIComponent(threadId)}`;

/** `title` has 1 to 200 characters. */
export const renameThread = async (threadId: string, title: string): Promise<void> => {
  await requestJson(pathOf(threadId), { method: "PATCH", body: { title } });
};

/** Stops its runs and removes all of it. */
export const deleteThread = async (threadId: string): Promise<void> => {
  await requestJson(pathOf(threadId), { method: "DELETE" });
};

/** The thread's standing permissions. */
export const readRules = async (threadId: string, signal: AbortSignal): Promise<readonly RuleView[]> =>
  (await requestJson<{ readonly rules: readonly RuleView[] }>(`${pathOf(threadId)}/rules`, { signal })).rules;

/** Has earlier messages summarized; takes as long as the model does. */
export const compactThread = async (threadId: string): Promise<ThreadCompaction> =>
  await requestJson(`${pathOf(threadId)}/compact`, { method: "POST" });

/** From then on the agent asks again. */
export const revokeRule = async (threadId: string, ruleId: string): Promise<void> => {
  await requestJson(`${pathOf(threadId)}/rules/${ruleId}`, { method: "DELETE" });
};
