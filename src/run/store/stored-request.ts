/** What a run asks its person, as it is stored: for a permission, whether to follow a plan, or questions. */
import * as z from "zod";
import { Answers, QUESTION_FIELDS } from "../../contract/guidance/question.ts";
import { DecidedBy, PermissionOutcome, REQUEST_FIELDS, RuleScope } from "../../contract/permission.ts";

/** How long a person has to answer (api.md §4). */
export const REQUEST_TTL_MS = 24 * 3_600_000;

/** Missing in requests of earlier releases. */
const askedAtMs = z.int().exactOptional();

/** Questions. None of the fields can be taken for a permission. */
const StoredQuestion = z.object({ ...QUESTION_FIELDS, askedAtMs });

/** A request for a permission with its whole subject, even when its event was cut. A plan is one too. */
const StoredPermission = z.object({
  ...REQUEST_FIELDS,
  toolCallId: z.string(),
  /** What the tool made the subject from; never shown. */
  basis: z.string().exactOptional(),
  expiresAt: z.string(),
  askedAtMs,
});

export const StoredRequest = z.union([StoredPermission, StoredQuestion]);

/** How a request for a permission was resolved. */
const RequestReply = z.object({ decision: PermissionOutcome, by: DecidedBy, message: z.string().optional() });
export type RequestReply = z.infer<typeof RequestReply>;

/** How questions were resolved. */
const QuestionReply = z.object({
  decision: z.enum(["answered", "declined", "expired", "aborted"]),
  by: DecidedBy,
  /** Null unless a person gave answers. */
  answers: Answers.nullable(),
});
type QuestionReply = z.infer<typeof QuestionReply>;

export const StoredReply = { permission: RequestReply, question: QuestionReply };

/** The standing rule that a request would create. */
export const ProposedRule = z.object({ scope: RuleScope, label: z.string() });
export type ProposedRule = z.infer<typeof ProposedRule>;

/** A request for a permission. `reply` is undefined while it is open. */
export type PermissionRequest = z.infer<typeof StoredPermission> & {
  readonly rule: ProposedRule | undefined;
  readonly reply: RequestReply | undefined;
};

/** Questions. `reply` is undefined while they are open. */
export type QuestionRequest = z.infer<typeof StoredQuestion> & { readonly reply: QuestionReply | undefined };

/** Anything a run waits for. */
export type PersonRequest = PermissionRequest | QuestionRequest;

export const isQuestion = (request: PersonRequest): request is QuestionRequest => "questions" in request;

/** Any reply. */
export type PersonReply = RequestReply | QuestionReply;

/** What becomes of a request that nobody decided. */
export const undecided = (request: PersonRequest, decision: "expired" | "aborted"): PersonReply => ({
  ...{ decision, by: "system" },
  ...(isQuestion(request) ? { answers: null } : {}),
});
