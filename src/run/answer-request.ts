/** Answers to what a run asks. Whichever comes first wins: answer, expiry or abort. Each is one transaction. */
import type { QuestionAnswer } from "../contract/guidance/question.ts";
import type { RequestId } from "../contract/ids.ts";
import type { PermissionAnswer } from "../contract/permission.ts";
import { waitAtMost } from "../contract/within.ts";
import { THEY_SAID } from "../harness/model-text.ts";
import { PLAN_TO_CHANGE } from "../harness/plan-mode.ts";
import { answersText, DECLINED, UNANSWERED, unfitAnswers } from "../harness/question-answers.ts";
import type { CallState } from "../harness/turn.ts";
import { closeRequestNotice } from "./notice-due.ts";
import type { AnswerResult, PersonAnswer } from "./run-rpc.ts";
import { startedPart } from "./run-state.ts";
import type { Ledger } from "./store/ledger.ts";
import { replyEvent } from "./store/run-events.ts";
import { isQuestion, type PersonReply, type PersonRequest, undecided } from "./store/stored-request.ts";

type Speaker = Pick<PersonAnswer, "loginId">;

/** What the model reads when nobody gave a reason. */
const REJECTED = "The person rejected this call.";

const EXPIRED = "Nobody answered this request in time, so it counts as rejected.";

/** How long an answer waits for the session to have the rule that it makes, in ms: somebody may list the rules next, or revoke it. */
const RULE_ANSWER_MS = 1_000;

/** Delivers the rule that an answer makes, if it makes one. Resolves when it is delivered, or when the answer has to be answered. */
export const deliverRule = async (result: AnswerResult, deliver: () => Promise<void>): Promise<void> => {
  if (result.type === "accepted" && result.decision === "allow_always") await waitAtMost(RULE_ANSWER_MS, deliver());
};

/** Takes a person's answer. After `accepted` the run is `running`, and its loop must be started. */
export const answerRequest = (
  ledger: Ledger,
  requestId: RequestId,
  answer: PersonAnswer,
  nowMs: number,
): AnswerResult => {
  // The request was deleted with the log, so what was asked is no longer known.
  if (ledger.record().isPurged) return { type: "expired" };
  return "decision" in answer
    ? decide(ledger, requestId, answer, nowMs)
    : answerQuestions(ledger, requestId, answer, nowMs);
};

const decide = (
  ledger: Ledger,
  requestId: RequestId,
  { decision, message, loginId }: PermissionAnswer & Speaker,
  nowMs: number,
): AnswerResult => {
  const request = ledger.requests.find(requestId);
  if (request === undefined) return { type: "unknown_request" };
  if (!request.options.some((option) => option.decision === decision)) return { type: "not_offered" };
  expireRequest(ledger, nowMs);
  const { reply } = ledger.requests.find(requestId) ?? request;
  if (reply?.by === "system") return { type: "expired" };
  if (reply !== undefined) {
    const isSame = reply.by === "user" && reply.decision === decision;
    return isSame ? { type: "accepted", decision } : { type: "answered" };
  }
  const rejected = request.subject.type === "plan" ? PLAN_TO_CHANGE : REJECTED;
  const reason = message ? `${rejected}${THEY_SAID}${message}` : rejected;
  const callState: CallState = decision === "reject" ? { type: "rejected", reason } : { type: "allowed" };
  const said = message ? { message } : {};
  // Whoever allows an edit decides what a command runs that was allowed before.
  const speaks = message || (decision !== "reject" && request.subject.type === "edit");
  closeWith(ledger, request, callState, nowMs, { decision, by: "user", ...said }, speaks ? loginId : undefined);
  return { type: "accepted", decision };
};

const answerQuestions = (
  ledger: Ledger,
  requestId: RequestId,
  answer: QuestionAnswer & Speaker,
  nowMs: number,
): AnswerResult => {
  const request = ledger.requests.findQuestion(requestId);
  if (request === undefined) return { type: "unknown_request" };
  const answers = "answers" in answer ? answer.answers : null;
  const problem = answers === null ? undefined : unfitAnswers(request.questions, answers);
  if (problem !== undefined) return { type: "unfit", problem };
  expireRequest(ledger, nowMs);
  const { reply } = ledger.requests.findQuestion(requestId) ?? request;
  if (reply?.by === "system") return { type: "expired" };
  if (reply !== undefined) {
    const isSame = JSON.stringify(reply.answers) === JSON.stringify(answers);
    return isSame ? { type: "accepted_answers", answers } : { type: "answered" };
  }
  const [callState, decision] =
    answers === null
      ? ([{ type: "rejected", reason: DECLINED }, "declined"] as const)
      : ([{ type: "answered", output: answersText(request.questions, answers) }, "answered"] as const);
  closeWith(
    ledger,
    request,
    callState,
    nowMs,
    { decision, by: "user", answers },
    answers === null ? undefined : answer.loginId,
  );
  return { type: "accepted_answers", answers };
};

/** Ends the open request because nobody answered it in time. The run goes on. */
export const expireRequest = (ledger: Ledger, nowMs: number): void => {
  const request = ledger.requests.findOpen();
  if (request === undefined || nowMs < Date.parse(request.expiresAt)) return;
  const reason = isQuestion(request) ? UNANSWERED : EXPIRED;
  closeWith(ledger, request, { type: "rejected", reason }, nowMs, undecided(request, "expired"));
};

const closeWith = (
  ledger: Ledger,
  request: PersonRequest,
  callState: CallState,
  nowMs: number,
  reply: PersonReply,
  speaker?: string,
): void => {
  const { requestId, toolCallId } = request;
  ledger.commit(() => {
    const record = ledger.record();
    if (record.state.status !== "waiting_permission") throw new Error("An open request belongs to a waiting run.");
    closeRequestNotice(ledger, record.state);
    ledger.requests.close(requestId, reply);
    ledger.requests.addSpeaker(speaker);
    ledger.checkpoints.saveCallState(toolCallId, callState, nowMs);
    ledger.runs.save(record, { state: { status: "running", ...startedPart(record.state) } });
    if (reply.decision === "allow_always" && "rule" in request && request.rule !== undefined) {
      ledger.outbox.add(ruleReceiver(requestId), JSON.stringify({ ...request.rule, createdAtMs: nowMs }));
    }
    return [replyEvent(request, reply), { type: "run_status", status: "running" }];
  });
};

/** Name of the outbox receiver for a new standing rule. */
const ruleReceiver = (requestId: RequestId): string => `rule:${requestId}`;
