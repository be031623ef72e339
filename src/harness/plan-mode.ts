/** Plan mode: the agent reads and asks, and changes nothing before its person has accepted a plan. */
import type { CallResult, ToolCall } from "./turn.ts";

/** The tool with which a plan is proposed. */
export const PROPOSE_PLAN = "propose_plan";

/** What the model is told at the beginning of the turn. */
export const PLAN_CONTEXT =
  "This turn is in plan mode. Find out what you need with the tools that read, use ask_user for what only the person can tell you, then call propose_plan with the whole plan. Every change is refused until the person has accepted a plan.";

/** How the result of an accepted plan begins. Stored conversations of every release are searched for it, so it must not change. */
export const ACCEPTANCE = "The person accepted the plan, and plan mode is over.";

/** The result of a plan that was accepted. */
export const PLAN_ACCEPTED = `${ACCEPTANCE} Do it now. Each change still asks for permission.`;

/** The result of a plan that was not accepted. The person's words follow it. */
export const PLAN_TO_CHANGE =
  "The person wants another plan. You are still in plan mode: change it and propose it again.";

const CHANGES_NOTHING =
  "Refused: this turn is in plan mode, and nothing is changed before the person has accepted a plan. Propose one with propose_plan.";

const NO_PLAN_WANTED =
  "This turn is not in plan mode, so there is no plan to accept. Do what was asked: each change asks for permission itself.";

/** How a call ends that must neither run nor ask; undefined for any other. No rule and no answer to another call overrides it. */
export const planRefusal = (
  { tool, kind }: Pick<ToolCall, "tool" | "kind">,
  isPlanning: boolean,
): CallResult | undefined => {
  if (isPlanning) return kind === "read" ? undefined : { status: "denied", output: CHANGES_NOTHING };
  return tool === PROPOSE_PLAN ? { status: "failed", output: NO_PLAN_WANTED } : undefined;
};
