/** The methods of a run's object, as its callers see them. `RunObject` documents each. */
import type { Answers, QuestionAnswer } from "../contract/guidance/question.ts";
import type { OwnerEmail, RequestId } from "../contract/ids.ts";
import type { DecidedBy, PermissionAnswer, PermissionDecision } from "../contract/permission.ts";
import type { RunStatus, RunView } from "../contract/run.ts";
import type { UndoAnswer, UndoRequest } from "../contract/undo/undo.ts";
import type { RunEnding } from "../db/runs.ts";
import type { UndoneTurn } from "../harness/undone.ts";
import type { RunSpec } from "./run-spec.ts";
import type { PermissionRequest, QuestionRequest, RequestReply } from "./store/stored-request.ts";

/** What the person's screen shows when their turn is started, as JSON. Null: no client has reported it. Undefined: it was not asked for. */
export type FoundScreen = string | null | undefined;

/** What became of an answer to a request. */
export type AnswerResult =
  /** It counts, or the same person gave the same answer before. */
  | { readonly type: "accepted"; readonly decision: PermissionDecision }
  /** The same for questions. Null: the person declined. */
  | { readonly type: "accepted_answers"; readonly answers: Answers | null }
  /** There is no such request, or it is of another kind than the answer. */
  | { readonly type: "unknown_request" }
  | { readonly type: "not_offered" }
  /** These answers do not fit these questions; `problem` says why. */
  | { readonly type: "unfit"; readonly problem: string }
  /** It was answered differently before, on another device or by a rule. */
  | { readonly type: "answered" }
  /** The system has closed the request. */
  | { readonly type: "expired" };

/**
 * A request for an undo. `isOverLimit`: its sender is over the rate limit, so nothing is undone; refusals that come before 429 are
 * still given.
 */
export type UndoAsk = UndoRequest & { readonly isOverLimit: boolean };

/** What came of asking for an undo. */
export type UndoResult =
  /** `bookmark`: of the last change in D1, undefined when nothing was changed there. */
  | { readonly type: "answered"; readonly answer: UndoAnswer; readonly bookmark: string | undefined }
  | { readonly type: "unknown_run" }
  /** It could be undone, but this caller may not ask for it now. Nothing was done. */
  | { readonly type: "ready" }
  /** Its owner's changes of the day have stored as much as they may. Nothing was done. */
  | { readonly type: "day_full" }
  /** The run has not ended. */
  | { readonly type: "live" }
  /** What is needed to undo it was deleted with its log. */
  | { readonly type: "expired" };

/** What was undone of a run. */
export type UndoneRun = Omit<UndoneTurn, "undoneAtMs">;

/** A message to a run. `isOverRate`: its sender is over the rate limit, so only a message under a known key is taken. */
export type NewRunMessage = {
  readonly text: string;
  readonly key: string | undefined;
  readonly isOverRate: boolean;
  /** The log-in that sends it, as in the run's spec. */
  readonly loginId?: string;
};

/** What became of a message to a run. */
export type SteerResult =
  /** It is stored, now or by an earlier request under its key. */
  | { readonly type: "taken"; readonly messageId: string }
  /** The run is over, or is being aborted. */
  | { readonly type: "ended" }
  /** Its harness takes no messages while it works. */
  | { readonly type: "not_taken" }
  /** The key belongs to a message with another text. */
  | { readonly type: "other_text" }
  | { readonly type: "over_rate" }
  | { readonly type: "too_many" };

/** A permission request, with `decision` and `by` once it has been decided. */
type RequestView = Omit<PermissionRequest, "rule" | "basis" | "reply" | "askedAtMs"> & Partial<RequestReply>;

/** Questions, with `answers` and `by` once they are closed; `answers` is null if nobody gave any. */
type QuestionView = Omit<QuestionRequest, "reply" | "askedAtMs"> & {
  readonly answers?: Answers | null;
  readonly by?: DecidedBy;
};

export type AnyRequestView = RequestView | QuestionView;

/** What a person can send. `loginId`: the log-in that sends it, as in the run's spec. */
export type PersonAnswer = (PermissionAnswer | QuestionAnswer) & { readonly loginId?: string };

/** For methods that take an owner, other people's runs do not exist. */
export interface RunRpc extends Rpc.DurableObjectBranded {
  start(spec: RunSpec, screen?: FoundScreen): Promise<"started" | "gone">;
  granted(grant: number): Promise<"live" | "ended" | "unknown">;
  status(): { status: RunStatus; ending: RunEnding | undefined } | undefined;
  view(owner: OwnerEmail): RunView | undefined;
  prompt(owner: OwnerEmail): string | undefined;
  request(owner: OwnerEmail, requestId: RequestId): AnyRequestView | undefined | "unknown_run";
  answer(
    owner: OwnerEmail,
    requestId: RequestId,
    answer: PersonAnswer,
  ): Promise<AnswerResult | { type: "unknown_run" }>;
  steer(owner: OwnerEmail, message: NewRunMessage): SteerResult | { type: "unknown_run" };
  abort(owner: OwnerEmail): Promise<RunStatus | undefined>;
  undo(owner: OwnerEmail, ask: UndoAsk): Promise<UndoResult>;
  undone(owner: OwnerEmail): UndoneRun | undefined;
  purge(): Promise<void>;
  /** The events, as `GET …/events` returns them. */
  fetch(request: Request): Promise<Response>;
}
