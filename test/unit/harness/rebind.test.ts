/** Whether the provider may drop what was thought earlier: where it no longer fits, and from then on always. */
import { describe, expect, it } from "vitest";
import { NO_FACTS } from "../../../src/harness/anthropic/conversation.ts";
import { rebind } from "../../../src/harness/anthropic/rebind.ts";
import { saidTurn } from "../../support/sample-turns.ts";
import { resumed } from "../../support/turn-requests-world.ts";

const binding = { model: "claude-sonnet-5-5", prefixHash: "p1" };
const bound = { ...NO_FACTS, prefixHash: "p1" };
const summary = { type: "opaque", block: { type: "compaction", content: "So far." } } as const;

const before = resumed([saidTurn("a"), saidTurn("b")]);
const otherModel = resumed([saidTurn("a", "Hm.", "claude-opus-5-5"), saidTurn("b")]);

describe("thinking of earlier turns", () => {
  it.each([
    ["under the same rules, tools and model", bound, before, false],
    ["of a thread's first turn, whatever is known of it", NO_FACTS, resumed([]), false],
    ["under other rules or tools", { ...bound, prefixHash: "p0" }, before, true],
    ["where it is not known under which it was made", NO_FACTS, before, true],
    ["where all that is left of it is a summary", NO_FACTS, resumed([], { compaction: summary }), true],
    ["of which one turn is another model's", bound, otherModel, true],
    ["of a conversation that was not loaded whole", bound, resumed([saidTurn("a")], { hasOlder: true }), true],
    ["that did not fit before", { ...bound, dropsBlocks: true }, before, true],
  ])("%s: may be dropped or not", (_, facts, resumeState, dropsBlocks) => {
    expect(rebind(facts, resumeState, false, binding)).toEqual({ ...facts, prefixHash: "p1", dropsBlocks });
  });
});

it("thinking of the running turn may be dropped where a release came in between", () => {
  expect(rebind(NO_FACTS, resumed([]), true, binding).dropsBlocks).toBe(true);
});

it("facts that hold already are the same object, so that nothing has to be kept", () => {
  expect(rebind(bound, before, true, binding)).toBe(bound);
});
