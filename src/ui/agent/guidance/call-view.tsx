import { ToolCard } from "../conversation/tools/tool-card.tsx";
import { PermissionCard, PermissionOutcome } from "../permission/permission-card.tsx";
import type { PermissionReply, PermissionState, ToolItem } from "../stream/transcript-item.ts";
import { PlanText } from "./plan-text.tsx";
import { QuestionCard, QuestionOutcome } from "./question-card.tsx";

type CallViewProps = { readonly item: ToolItem; readonly runId: string; readonly isLive: boolean };

/** A call. A question or a plan is shown as such, a to-do list at the end of its run, and any other call as a card. */
export const CallView = ({ item, runId, isLive }: CallViewProps) => {
  const { question, permission } = item;
  if (question !== undefined) {
    if (question.reply !== undefined) return <QuestionOutcome question={question} status={item.status} />;
    return <QuestionCard key={question.requestId} question={question} runId={runId} isLive={isLive} />;
  }
  if (permission?.subject.type === "plan") {
    const { markdown } = permission.subject;
    return <PlanView permission={permission} markdown={markdown} runId={runId} isLive={isLive} />;
  }
  // The list itself is at the end of the run.
  if (item.tool === "set_todos" && (item.status === "completed" || item.status === "running")) return null;
  return <ToolCard item={item} runId={runId} isLive={isLive} />;
};

const PLAN_OUTCOMES: Readonly<Record<PermissionReply["decision"], string>> = {
  allow_once: "You accepted this plan.",
  allow_always: "You accepted this plan.",
  reject: "You asked for another plan.",
  expired: "Nobody answered in time, so nothing was done.",
  aborted: "Stopped before you answered, so nothing was done.",
};

type PlanViewProps = {
  readonly permission: PermissionState;
  readonly markdown: string;
  readonly runId: string;
  readonly isLive: boolean;
};

/** A plan of the agent: to accept or to change, and later what became of it. It stays readable once it is answered. */
const PlanView = ({ permission, markdown, runId, isLive }: PlanViewProps) => {
  const { reply } = permission;
  if (reply === undefined) return <PermissionCard permission={permission} runId={runId} isLive={isLive} />;
  return (
    <div class="call">
      <details class="thinking">
        <summary>Plan</summary>
        <PlanText markdown={markdown} />
      </details>
      <PermissionOutcome reply={reply} words={PLAN_OUTCOMES[reply.decision]} />
    </div>
  );
};
