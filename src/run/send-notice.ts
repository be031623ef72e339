/** Passes a run's notices on, from the run's own outbox to the outbox of notices in D1, and takes that of its end back. */
import { RequestId } from "../contract/ids.ts";
import { openDb } from "../db/db.ts";
import { dropNotice, runEndKey } from "../db/notices/outbox.ts";
import type { Env } from "../env.ts";
import { tellRequest, tellRequestClosed, tellRunEnd } from "../notice/tell.ts";
import { closingNotice, END_NOTICE, requestNotice } from "./notice-due.ts";
import { isEnded } from "./run-state.ts";
import type { Ledger } from "./store/ledger.ts";
import { isQuestion } from "./store/stored-request.ts";

/** Delivers one row. Rejects when it could not be stored; the row is then kept. */
export const sendNotice = async (receiver: string, ledger: Ledger, env: Env): Promise<void> => {
  const { spec, state } = ledger.record();
  if (receiver === END_NOTICE) {
    if (!isEnded(state)) return;
    await tellRunEnd(env, spec, state.status);
    ledger.runs.save(ledger.record(), { state: { ...state, isTold: true } });
    // Somebody has read the end meanwhile, when there was nothing in D1 yet to take back.
    if (!ledger.outbox.has(END_NOTICE)) await takeBackEnd(ledger, env);
    return;
  }
  const requestId = RequestId.parse(receiver.slice(receiver.lastIndexOf(":") + 1));
  if (receiver === closingNotice(requestId)) return await tellRequestClosed(env, spec, requestId);
  if (receiver !== requestNotice(requestId)) return;
  const { requests } = ledger;
  const request = requests.find(requestId) ?? requests.findQuestion(requestId);
  if (request === undefined || request.reply !== undefined) return;
  const what = isQuestion(request) ? "question" : request.subject.type === "plan" ? "plan" : "permission";
  await tellRequest(env, spec, { requestId, what, expiresAtMs: Date.parse(request.expiresAt) });
};

/**
 * Takes the notice of the run's end back, wherever it is by now: whoever reads the end needs none. Costs nothing where there is none.
 * Rejects when D1 does not answer; the next reader then tries again.
 */
export const takeBackEnd = async (ledger: Ledger, env: Pick<Env, "DB">): Promise<void> => {
  ledger.outbox.drop(END_NOTICE);
  const { spec, state } = ledger.record();
  if (!isEnded(state) || !state.isTold) return;
  await dropNotice(openDb(env.DB), spec.ownerEmail, runEndKey(spec.runId), Date.now()).run();
  ledger.runs.save(ledger.record(), { state: { ...state, isTold: undefined } });
};
