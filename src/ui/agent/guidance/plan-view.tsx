/** A plan of the agent: to accept or to change, and later what became of it. */
import { PermissionCard, PermissionOutcome } from "../permission/permission-card.tsx";
import type { PermissionReply, PermissionState } from "../stream/transcript-item.ts";
import { PlanText } from "./plan-text.tsx";

const OUTCOMES: Readonly<Record<PermissionReply["decision"], string>> = {
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

/** Stays readable once it is answered. */
export const PlanView = ({ permission, markdown, runId, isLive }: PlanViewProps) => {
  const { reply } = permission;
  if (reply === undefined) return <PermissionCard permission={permission} runId={runId} isLive={isLive} />;
  return (
    <div class="call">
      <details class="thinking">
        <summary>Plan</summary>
        <PlanText markdown={markdown} />
      </details>
      <PermissionOutcome reply={reply} words={OUTCOMES[reply.decision]} />
    </div>
  );
};
