/** What a session has stored and this release cannot read: the thread works all the same. */
import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, inject, it } from "vitest";
import { say, think } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { captureLog } from "../../support/workerd/captured-log.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { somebody } from "../../support/workerd/somebody.ts";

/** A thread of one turn, whose session is changed like this, and then a second turn. */
const secondTurnBehind = async (change: string) => {
  const model = await scriptModel(inject("modelUrl"), [think("Hm.", "Hello."), say("Again.")]);
  const client = somebody();
  await client.runToEnd("t", model.prompt("First words"));
  const second = await client.startTurn("t", model.prompt("Second words"));
  await client.events(second.events);
  await model.add([say("Third.")]);
  await runInDurableObject(env.SESSIONS.getByName(second.sessionId ?? ""), (_, { storage }) => {
    storage.sql.exec(change);
  });
  const events = await client.runToEnd("t", model.prompt("Third words"));
  return { events, body: (await model.requests()).at(-1)?.body, violations: await model.violations() };
};

describe("a thread goes on", () => {
  it("with its whole conversation where the facts about it are another release's", async () => {
    const { body, events, violations } = await secondTurnBehind(`UPDATE facts SET body = '{"of":"tomorrow"}'`);
    expect(theOnly(events, "run_end")).toMatchObject({ status: "completed" });
    expect(JSON.stringify(body?.messages)).toContain("First words");
    expect(body?.thinking).toMatchObject({ block_binding: { prefix_mismatch_behavior: "drop_block" } });
    expect([ofType(events, "context_reset"), violations]).toEqual([[], []]);
  });

  it("without its conversation where that cannot be read, and says so", async () => {
    const log = captureLog();
    const { body, events } = await secondTurnBehind(`UPDATE block SET body = '{"type":"of tomorrow"}'`);
    expect(theOnly(events, "run_end")).toMatchObject({ status: "completed" });
    expect(JSON.stringify(body?.messages)).not.toContain("First words");
    expect(theOnly(events, "context_reset")).toMatchObject({ reason: expect.stringContaining("could not be read") });
    expect(log.lines({ level: "error", message: "Unreadable conversation." })).toHaveLength(1);
  });
});
