/** A crash around a new epoch, which begins when the provider permanently refuses a conversation: one begins, it is reported once. */
import { describe, it } from "vitest";
import { whereItDiffers } from "../../support/append-only.ts";
import { message, say, think, thought, toolUse } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { fail } from "../../support/model-troubles.ts";
import { captureLog } from "../../support/workerd/captured-log.ts";
import { chat } from "../../support/workerd/chat.ts";
import { type CrashPoint, died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { ofType } from "../../support/workerd/of-type.ts";

const refused = () => fail(400, "invalid_request_error", "messages.1: something nobody thought of");

const look = () => message([thought("I look."), toolUse({ name: "list-stocks", input: {} })]);

/** A death has the provider asked again: before the epoch is kept, with what it refuses. */
const asked: Readonly<Record<string, readonly Reply[]>> = {
  before: [refused(), say("Never said."), refused(), say("Here.")],
  after: [refused(), say("Never said."), say("Here.")],
  once: [refused(), say("Here.")],
};

const plans: readonly [string, CrashPoint, string][] = [
  ["the run", "before startEpoch", "before"],
  ["the run", "after startEpoch", "after"],
  ["the run", "before openMessage", "after"],
  ["the session", "before startEpoch", "once"],
  ["the session", "after startEpoch", "once"],
];

/** What is left of it: `epochs` are those that were begun. */
const whatIsLeft = async (talk: Awaited<ReturnType<typeof chat>>) => {
  await talk.model.add([say("Later."), say("Later.")]);
  expectWhole(await talk.turn("Later words"), "completed");
  const [before, last] = (await talk.bodies()).slice(-2);
  return {
    epoch: await talk.inSession((sql) => sql.exec("SELECT epoch FROM session").one().epoch),
    differs: whereItDiffers(before ?? {}, last ?? {}),
    holdsEarlier: JSON.stringify(last).includes("First words"),
    violations: await talk.model.violations(),
  };
};

const WHOLE = { epoch: 2, differs: undefined, holdsEarlier: true, violations: [] };

describe("a conversation that continues as plain text", () => {
  it.for(plans)("does so once when %s dies %s", async ([who, point, script], { expect }) => {
    const talk = await chat([look(), think("a", "One."), ...(asked[script] ?? [])]);
    await talk.turn("First words");
    await talk.handedOver();
    const id = who === "the run" ? talk.thread : "session";
    planCrashes(id, [point]);
    const events = await talk.person.follow((await talk.start("Second words")).events);
    expectWhole(events, "completed");
    await died(id);
    expect(ofType(events, "context_reset")).toHaveLength(1);
    expect(await whatIsLeft(talk)).toEqual(WHOLE);
  });

  it("counts the answer that began while the session could not be reached", async ({ expect }) => {
    const paid = { usage: { input: 77_777 } };
    const talk = await chat([look(), think("a", "One."), refused(), say("Never said.", paid), refused(), say("Here.")]);
    await talk.turn("First words");
    await talk.handedOver();
    planCrashes("session", ["before startEpoch", "before startEpoch"]);
    const log = captureLog();
    const turn = await talk.start("Second words");
    await log.wait({ message: "Session unreachable.", runId: turn.runId });
    await talk.person.wake(turn.runId);
    const events = await talk.person.follow(turn.events);
    expectWhole(events, "completed");
    await died("session");
    expect(ofType(events, "message_discard")).toMatchObject([{ usage: { inputTokens: 77_777 } }]);
    expect(await whatIsLeft(talk)).toEqual(WHOLE);
  });

  it("in the middle of a turn keeps its earlier turns when the run dies before it tells of it", async ({ expect }) => {
    const talk = await chat([look(), think("a", "One."), look(), refused(), say("Never said."), say("Here.")]);
    await talk.turn("First words");
    planCrashes(talk.thread, ["after startEpoch"]);
    const events = await talk.person.follow((await talk.start("Second words")).events);
    expectWhole(events, "completed");
    await died(talk.thread);
    expect(ofType(events, "context_reset")).toHaveLength(1);
    expect(await whatIsLeft(talk)).toEqual(WHOLE);
  });
});
