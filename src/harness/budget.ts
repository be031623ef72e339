/** What a turn may spend on its model. A harness only asks; counting, and asking a person for more, happens outside. */
import type { AskedCall, PermissionAsk } from "./journal.ts";

/** Why a model call must not be made. */
export type BudgetStop =
  /** It would exceed the budget: a person must say whether the turn goes on. */
  | { readonly type: "ask"; readonly call: AskedCall; readonly ask: PermissionAsk }
  /** A person refused, nobody answered, or the day's budget is used up. */
  | { readonly type: "refused" };

/** What a model call would send. Only its size as JSON counts, and only until the first call has reported its cost. */
export type CallInput = { readonly system: unknown; readonly tools: unknown; readonly messages: unknown };

/** Checked before every model call, including retries. */
export type Budget = {
  /** Whether the day's budget is used up, which nobody can extend. Checked before a step does anything. */
  readonly isDayUsedUp?: () => boolean;
  /** Undefined when the call may be made. */
  before(input: CallInput): BudgetStop | undefined;
  /** What is left, in dollars, for an agent that calls its model by itself. Undefined where it is not known. */
  readonly leftUsd?: () => number | undefined;
};
