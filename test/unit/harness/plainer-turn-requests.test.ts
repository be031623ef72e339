/** The requests of a turn whose conversation is permanently refused: plainer, then without earlier turns, then none. */
import { describe, expect, it } from "vitest";
import { NO_CUT, type TurnState } from "../../../src/harness/anthropic/conversation.ts";
import { EARLIER_IS_GONE } from "../../../src/harness/turn-context.ts";
import { toMessagesParams } from "../../../src/model/anthropic/anthropic-request.ts";
import type { Message } from "../../../src/model/messages.ts";
import type { ModelRequest } from "../../../src/model/model.ts";
import { whereItDiffers } from "../../support/append-only.ts";
import {
  answered,
  asked,
  askedBehind,
  ours,
  readStep,
  readTurn,
  saidTurn,
  text,
  turnOf,
} from "../../support/sample-turns.ts";
import { OPENED, resumed, turnRequests, unstopped } from "../../support/turn-requests-world.ts";

const prompt = asked("And now?");
const steps = [...readStep("p1", "first"), ...readStep("p2", "second")];

const differenceOf = (before: ModelRequest, after: ModelRequest) =>
  whereItDiffers({ ...toMessagesParams(before) }, { ...toMessagesParams(after) });

describe("a conversation that is permanently refused", () => {
  const thoughtful: Message = { role: "assistant", content: [{ type: "thinking", thinking: "Hm.", signature: "s" }] };
  const resumeState = resumed([readTurn("a", [50]), saidTurn("b")]);

  const called = ours('[Calls of this turn, left out here with their results:]\n<data>read_file {"path":"a-0"}</data>');
  const plainTurn = turnOf("a", [{ role: "user", content: [text("Ask a"), called] }, answered("Answer a")]);

  it("is sent as plain text, then alone, then not at all", () => {
    const { requests } = turnRequests({ resumeState });
    const plain = requests.plainer([prompt]);
    expect(plain?.messages).toEqual([
      ...[...plainTurn.messages, ...saidTurn("b").messages],
      askedBehind("<context>", "And now?"),
    ]);
    expect(requests.plainer([prompt])?.messages).toEqual([askedBehind(`<context>\n${EARLIER_IS_GONE}`, "And now?")]);
    expect(requests.plainer([prompt])).toBeUndefined();
  });

  it("of a first turn has no plainer one", () => {
    expect(turnRequests().requests.plainer([prompt])).toBeUndefined();
  });

  it("counts as reset once the provider takes it, and once only", async () => {
    const { keeper, requests } = turnRequests({ resumeState });
    await requests.accept();
    requests.plainer([prompt]);
    expect(keeper.saved).toEqual([]);
    await requests.accept();
    await requests.accept();
    expect(keeper.epochs).toEqual([
      { turns: [plainTurn, saidTurn("b")], reason: expect.stringContaining("as plain text now") },
    ]);
    expect(keeper.saved).toHaveLength(1);
  });

  it("changes nothing that is kept where the plainer one is too long, whatever is left out", async () => {
    const cut = { ...NO_CUT, resultsBefore: { runId: "a", message: 3 } };
    const state: TurnState = { ...OPENED, facts: { ...OPENED.facts, cut, dropsBlocks: true, inputTokens: 9 } };
    const { keeper, requests } = turnRequests({ resumeState, state });
    requests.plainer([prompt]);
    expect((await requests.shorter([prompt]))?.messages).toHaveLength(1);
    expect(await requests.shorter([prompt])).toBeUndefined();
    expect(keeper.saved).toEqual([]);
  });

  it("and too long is kept with what was learned of its length, once the provider takes it", async () => {
    const { keeper, requests } = turnRequests({ resumeState });
    requests.plainer([prompt]);
    await requests.shorter([prompt]);
    await requests.accept();
    expect([keeper.saved.length, keeper.epochs.length]).toEqual([1, 1]);
    expect(keeper.saved[0]?.facts.maxBytes).toBeGreaterThan(0);
  });

  it("continues from there at the next step", async () => {
    const { keeper, requests } = turnRequests({ resumeState });
    const plain = requests.plainer([prompt]) ?? requests.next([prompt]);
    await requests.accept();
    await requests.prepare([prompt, ...steps], undefined, unstopped());
    expect(differenceOf(plain, requests.next([prompt, ...steps]))).toBeUndefined();
    expect(requests.plainer([prompt, ...steps])?.messages[0]).toEqual(plainTurn.messages[0]);
    expect(keeper.epochs).toHaveLength(1);
  });

  it("goes on from the state that its run has made of it", async () => {
    const { keeper, requests } = turnRequests({ resumeState });
    keeper.afterEvent = (state) => ({ ...state, notes: { 7: "Kept." } });
    requests.plainer([prompt]);
    await requests.accept();
    await requests.shorter([prompt]);
    expect(keeper.saved.map(({ notes }) => notes)).toEqual(Array(3).fill({ 7: "Kept." }));
  });

  it("says what is still to be done in the same request, and holds it with the turn", async () => {
    const { keeper, requests } = turnRequests({
      resumeState: { ...resumeState, guidance: { plan: "Look, then add" } },
    });
    expect(
      JSON.stringify(requests.plainer([prompt])?.messages).split("The plan that the person accepted"),
    ).toHaveLength(2);
    expect(
      JSON.stringify(requests.plainer([prompt])?.messages).split("The plan that the person accepted"),
    ).toHaveLength(2);
    await requests.accept();
    // Before the epoch, and with it.
    expect(keeper.saved.map(({ guidance }) => guidance)).toEqual(Array(2).fill({ plan: "Look, then add" }));
    const dead = turnRequests({ resumeState: resumed([]), state: keeper.saved[0] ?? OPENED });
    await dead.requests.prepare([prompt], undefined, unstopped());
    expect(
      JSON.stringify(dead.requests.next([prompt]).messages).split("The plan that the person accepted"),
    ).toHaveLength(2);
  });

  it("gives another reason when earlier turns are no longer sent", async () => {
    const { keeper, requests } = turnRequests({ resumeState });
    requests.plainer([prompt]);
    requests.plainer([prompt]);
    await requests.accept();
    expect(keeper.epochs).toEqual([{ turns: [], reason: expect.stringContaining("no longer sent") }]);
  });

  it("lets the provider drop thinking of the running turn after another past", () => {
    const { requests } = turnRequests({ resumeState });
    expect(requests.plainer([prompt])?.dropsBlocks).toBe(false);
    const other = turnRequests({ resumeState });
    expect(other.requests.plainer([prompt, thoughtful])?.dropsBlocks).toBe(true);
  });
});
