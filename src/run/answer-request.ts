/** Answers to permission requests. The first of answer, expiry and abort wins; each is one transaction. */
import type { RequestId } from "../contract/ids.ts";
import type { PermissionAnswer, PermissionDecision } from "../contract/permission.ts";
import type { CallState } from "../harness/turn.ts";
import type { Ledger } from "./ledger.ts";
import type { PermissionRequest, RequestReply } from "./request-store.ts";
import { startedPart } from "./run-state.ts";

/** How an answer was taken. */
export type AnswerResult =
  /** It counts, or the same person said the same before. */
  | { readonly type: "accepted"; readonly decision: PermissionDecision }
  | { readonly type: "unknown_request" }
  | { readonly type: "not_offered" }
  /** Somebody, or a rule, has answered otherwise. */
  | { readonly type: "answered" }
  /** The system has ended it. */
  | { readonly type: "expired" };

/** Told to the model when nobody gave a reason. */
const REJECTED = "The person rejected this call.";

const EXPIRED = "Nobody answered this request in time, so it counts as rejected.";

/** Takes a person's answer. After `accepted` the run is `running` and its loop has to be started. */
export const answerRequest = (
  ledger: Ledger,
  requestId: RequestId,
  answer: PermissionAnswer,
  nowMs: number,
): AnswerResult => {
  // Gone with the log: nobody knows any more what was asked.
  if (ledger.record().isPurged) return { type: "expired" };
  const request = ledger.requests.find(requestId);
  if (request === undefined) return { type: "unknown_request" };
  if (!request.options.some(({ decision }) => decision === answer.decision)) return { type: "not_offered" };
  expireRequest(ledger, nowMs);
  const { reply } = ledger.requests.find(requestId) ?? request;
  if (reply?.by === "system") return { type: "expired" };
  if (reply !== undefined) {
    const isSame = reply.by === "user" && reply.decision === answer.decision;
    return isSame ? { type: "accepted", decision: answer.decision } : { type: "answered" };
  }
  const { decision, message } = answer;
  const isRejected = decision === "reject";
  const reason = message ? `${REJECTED} They said: ${message}` : REJECTED;
  closeWith(ledger, request, isRejected ? { type: "rejected", reason } : { type: "allowed" }, nowMs, {
    decision,
    by: "user",
    ...(message ? { message } : {}),
  });
  return { type: "accepted", decision };
};

/** Ends the open request when nobody answered it in time, as a reject. The run goes on. */
export const expireRequest = (ledger: Ledger, nowMs: number): void => {
  const request = ledger.requests.findOpen();
  if (request === undefined || nowMs < Date.parse(request.expiresAt)) return;
  const reply: RequestReply = { decision: "expired", by: "system" };
  closeWith(ledger, request, { type: "rejected", reason: EXPIRED }, nowMs, reply);
};

const closeWith = (
  ledger: Ledger,
  request: PermissionRequest,
  callState: CallState,
  nowMs: number,
  reply: RequestReply,
): void => {
  const { requestId, toolCallId } = request;
  ledger.commit(() => {
    const record = ledger.record();
    if (record.state.status !== "waiting_permission") throw new Error("An open request belongs to a waiting run.");
    ledger.requests.close(requestId, reply);
    ledger.checkpoints.saveCallState(toolCallId, callState, nowMs);
    ledger.runs.save(record, { state: { status: "running", ...startedPart(record.state) } });
    if (reply.decision === "allow_always" && request.rule !== undefined) {
      ledger.outbox.add(ruleReceiver(requestId), JSON.stringify({ ...request.rule, createdAtMs: nowMs }));
    }
    return [
      { type: "permission_reply", requestId, toolCallId, ...reply },
      { type: "run_status", status: "running" },
    ];
  });
};

/** Outbox receiver of a new standing rule. */
const ruleReceiver = (requestId: RequestId): string => `rule:${requestId}`;
