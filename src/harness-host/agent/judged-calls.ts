/** What was decided about the calls of a turn. A decision is about one call: it does not apply to another call with the same id. */
import { isDeepStrictEqual } from "node:util";
import { denied } from "./decision.ts";
import type { HookInput, HookOutput } from "./sdk-module.ts";

/** How the SDK asks about a call. */
type AskedBy = "hook" | "prompt";

type JudgedCall = { readonly call: HookInput; readonly decision: Promise<HookOutput>; isPrompted: boolean };

const USED_ID = denied("Another call has this id. Make a new one.");

/** The judged calls, by their ids. */
export class JudgedCalls {
  readonly #known = new Map<string, JudgedCall>();

  /**
   * The decision about a call: `judge`'s, or the one already made. The SDK asks about a call by the hook, which it may skip, and then by a
   * prompt, each once (decision 0097). The same id in another order, or with another tool or input, is a different call, and is denied.
   */
  decide(call: HookInput, by: AskedBy, judge: () => Promise<HookOutput>): Promise<HookOutput> {
    const known = this.#known.get(call.tool_use_id);
    if (known === undefined) {
      const decision = judge();
      this.#known.set(call.tool_use_id, { call, decision, isPrompted: by === "prompt" });
      return decision;
    }
    if (by === "hook" || known.isPrompted || !isSameCall(call, known.call)) return Promise.resolve(USED_ID);
    known.isPrompted = true;
    return known.decision;
  }
}

const isSameCall = (one: HookInput, other: HookInput): boolean =>
  one.tool_name === other.tool_name && isDeepStrictEqual(one.tool_input, other.tool_input);
