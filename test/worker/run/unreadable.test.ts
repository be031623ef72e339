/** What a session has stored and this release cannot read: the thread works all the same. */
import { describe, expect, it } from "vitest";
import { EARLIER_IS_GONE } from "../../../src/harness/turn-context.ts";
import { say, think } from "../../support/model-script.ts";
import { captureLog } from "../../support/workerd/captured-log.ts";
import { chat } from "../../support/workerd/chat.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";

/** A thread of two turns, whose session is changed like this once it has both, and then a third turn. */
const thirdTurnBehind = async (change: string) => {
  const { turns, turn, handedOver, inSession, bodies, model } = await chat([
    think("Hm.", "Hello."),
    say("Again."),
    say("Third."),
  ]);
  await turns("First words", "Second words");
  // The end of a run is told before its session has the turn.
  await handedOver();
  await inSession((sql) => sql.exec(change));
  const events = await turn("Third words");
  return { events, body: (await bodies()).at(-1), violations: await model.violations() };
};

describe("a thread goes on", () => {
  it("with its whole conversation where the facts about it are another release's", async () => {
    const { body, events, violations } = await thirdTurnBehind(`UPDATE facts SET body = '{"of":"tomorrow"}'`);
    expect(theOnly(events, "run_end")).toMatchObject({ status: "completed" });
    expect(JSON.stringify(body?.messages)).toContain("First words");
    expect(JSON.stringify(body?.messages)).not.toContain(EARLIER_IS_GONE);
    // What every context of a durable workspace says.
    expect(JSON.stringify(body?.messages)).toContain("The workspace is storage without a machine");
    expect(body?.thinking).toMatchObject({ block_binding: { prefix_mismatch_behavior: "drop_block" } });
    expect([ofType(events, "context_reset"), violations]).toEqual([[], []]);
  });

  it("without its conversation where that cannot be read, and says so", async () => {
    const log = captureLog();
    const { body, events } = await thirdTurnBehind(`UPDATE block SET body = '{"type":"of tomorrow"}'`);
    expect(theOnly(events, "run_end")).toMatchObject({ status: "completed" });
    expect(JSON.stringify(body?.messages)).not.toContain("First words");
    expect(JSON.stringify(body?.messages)).toContain(EARLIER_IS_GONE);
    expect(theOnly(events, "context_reset")).toMatchObject({ reason: expect.stringContaining("could not be read") });
    expect(log.lines({ level: "error", message: "Unreadable conversation." })).toHaveLength(1);
  });
});
