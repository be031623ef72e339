/** What a turn may spend on its model. The loop only asks; who counts, and who is asked for more, comes from outside. */
import type { ModelRequest } from "../model/model.ts";
import type { PermissionAsk } from "./journal.ts";
import type { ToolCall } from "./turn.ts";

/** What a request is about: a call of the model's, or the turn's own question. */
export type AskedCall = Pick<ToolCall, "toolCallId" | "tool" | "kind" | "title">;

/** Why a model call is not made. */
export type BudgetStop =
  /** It would pass the budget: a person has to say whether the turn goes on. */
  | { readonly type: "ask"; readonly call: AskedCall; readonly ask: PermissionAsk }
  /** Somebody has said no, or nobody has answered. */
  | { readonly type: "refused" };

/** Held to before each model call, further tries among them. */
export type Budget = {
  /** Whether nothing may be spent any more, and nobody can allow it: asked before a step does anything. */
  readonly isGone?: () => boolean;
  /** Undefined when the call can be made. */
  before(request: ModelRequest): BudgetStop | undefined;
};
