/** Passes a run's notices on, from the run's own outbox to the outbox of notices in D1. */
import { RequestId } from "../contract/ids.ts";
import type { Env } from "../env.ts";
import { tellRequest, tellRequestClosed, tellRunEnd } from "../notice/tell.ts";
import { closingNotice, END_NOTICE, requestNotice } from "./notice-due.ts";
import { isEnded } from "./run-state.ts";
import type { Ledger } from "./store/ledger.ts";
import { isQuestion } from "./store/stored-request.ts";

/** Delivers one row. Rejects when it could not be stored; the row is then kept. */
export const sendNotice = async (receiver: string, ledger: Ledger, env: Env): Promise<void> => {
  const { spec, state } = ledger.record();
  if (receiver === END_NOTICE) return isEnded(state) ? await tellRunEnd(env, spec, state.status) : undefined;
  const requestId = RequestId.parse(receiver.slice(receiver.lastIndexOf(":") + 1));
  if (receiver === closingNotice(requestId)) return await tellRequestClosed(env, spec, requestId);
  if (receiver !== requestNotice(requestId)) return;
  const { requests } = ledger;
  const request = requests.find(requestId) ?? requests.findQuestion(requestId);
  if (request === undefined || request.reply !== undefined) return;
  const what = isQuestion(request) ? "question" : request.subject.type === "plan" ? "plan" : "permission";
  await tellRequest(env, spec, { requestId, what, expiresAtMs: Date.parse(request.expiresAt) });
};
