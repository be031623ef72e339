/** Makes the requests of a run, as they are stored. */
import type { Question } from "../../contract/guidance/question.ts";
import { RequestId } from "../../contract/ids.ts";
import type { AskedCall, PermissionAsk } from "../../harness/journal.ts";
import {
  type PermissionRequest,
  type QuestionRequest,
  REQUEST_TTL_MS,
  type RequestReply,
} from "../store/stored-request.ts";

type World = { readonly nowMs: () => number; readonly newId: () => string };

/** A request for a permission. `reply` is given when a standing rule answers it. */
export const permissionRequest = (
  { toolCallId, tool, kind, title }: AskedCall,
  { subject, basis, options, rule }: PermissionAsk,
  world: World,
  reply?: RequestReply,
): PermissionRequest => ({
  ...common(world),
  ...{ toolCallId, tool, kind, title, subject, options: [...options], rule, reply },
  ...(basis === undefined ? {} : { basis }),
});

/** Questions that a call asks. */
export const questionRequest = (
  { toolCallId }: AskedCall,
  questions: readonly Question[],
  world: World,
): QuestionRequest => ({ ...common(world), toolCallId, questions: [...questions], reply: undefined });

const common = ({ nowMs, newId }: World) => {
  const askedAtMs = nowMs();
  const expiresAt = new Date(askedAtMs + REQUEST_TTL_MS).toISOString();
  return { requestId: RequestId.parse(newId()), expiresAt, askedAtMs };
};
