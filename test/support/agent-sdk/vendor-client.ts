/** What the model server has to let through when the vendor's own client asks it. */
import type { RuleName } from "../model-server/rules/rule.ts";

/** The client sends betas and fields of its own, which the public documentation does not list. */
export const NOT_FOR_THE_CLIENT: readonly RuleName[] = ["betas", "fields"];
