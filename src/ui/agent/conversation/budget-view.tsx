/** The run has spent its budget: the question whether it may spend more, or what came of that. */
import type { BudgetItem } from "../transcript-item.ts";
import { budgetOutcomeWords } from "./budget-words.ts";
import { PermissionCard } from "./permission-card.tsx";
import { PermissionOutcome } from "./permission-outcome.tsx";

type BudgetViewProps = { readonly item: BudgetItem; readonly runId: string; readonly isLive: boolean };

/** Stands by itself: no call is behind it. */
export const BudgetView = ({ item, runId, isLive }: BudgetViewProps) => {
  const { permission } = item;
  const { reply } = permission;
  if (reply === undefined) return <PermissionCard permission={permission} runId={runId} isLive={isLive} />;
  return <PermissionOutcome reply={reply} words={budgetOutcomeWords(reply.decision, item, navigator.language)} />;
};
