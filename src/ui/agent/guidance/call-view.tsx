import { ToolCard } from "../conversation/tools/tool-card.tsx";
import type { ToolItem } from "../stream/transcript-item.ts";
import { PlanView } from "./plan-view.tsx";
import { QuestionCard, QuestionOutcome } from "./question-card.tsx";

type CallViewProps = { readonly item: ToolItem; readonly runId: string; readonly isLive: boolean };

/** A call. One that asks or tells the person something is shown as what it says, once it got there. */
export const CallView = ({ item, runId, isLive }: CallViewProps) => {
  const { question, permission } = item;
  if (question !== undefined) {
    if (question.reply !== undefined) return <QuestionOutcome question={question} />;
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
