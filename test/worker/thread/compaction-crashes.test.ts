/** A crash at each step around a summary: it exists once or not at all, it is reported once, and the turn completes. */
import { abortAllDurableObjects } from "cloudflare:test";
import { describe, it } from "vitest";
import { whereItDiffers } from "../../support/append-only.ts";
import { message, say, summary, think, thought, toCompaction, toolUse } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { holdBefore } from "../../support/model-troubles.ts";
import { captureLog } from "../../support/workerd/captured-log.ts";
import { chat, messagesOf } from "../../support/workerd/chat.ts";
import { type CrashPoint, died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { ofType } from "../../support/workerd/of-type.ts";
import { kinds, type ReceivedEvent } from "../../support/workerd/run-client.ts";

const RULE = "Always say moin.";

const LONG = { usage: { input: 160_000 } };

/** Three turns, the last of them long; then `replies`, in a project with rules. */
const longChat = async (replies: readonly Reply[]) => {
  const third = message([thought("c"), { type: "text", text: "Three." }], LONG);
  const talk = await chat([think("a", "One."), think("b", "Two."), third, ...replies], { "AGENTS.md": RULE });
  await talk.turns("First words", "Second words", "Third words");
  return talk;
};

type Talk = Awaited<ReturnType<typeof longChat>>;

/** More than are needed: a death has the provider asked again. */
const fourth = () => [
  ...[summary("Told first.", PAID), summary("Told then.", PAID)],
  ...[think("d", "Four."), think("e", "Four.")],
];

/** What a summary took. Nothing else takes as much. */
const PAID = { usage: { input: 77_777 } };

/** What is left of the summary everywhere that it can be: one of it, all the same, with the rules behind it; and how many were paid for. */
const whatIsLeft = async (talk: Talk, events: readonly ReceivedEvent[]) => {
  await talk.model.add([say("Five."), say("Five.")]);
  const later = await talk.turn("Fifth words");
  expectWhole(later, "completed");
  const calls = await talk.calls();
  const [before, last] = calls.slice(-2);
  const [first] = messagesOf(last);
  return {
    told: ofType([...events, ...later], "context_compacted").map((event) => event.summary),
    paid: [...events, ...later].filter((event) => JSON.stringify(event).includes("77777")).length,
    stored: (await talk.summaries()).map(({ block }) => String(JSON.parse(block).block.content)),
    sent: first?.content.map(({ content }) => content),
    rules: JSON.stringify(messagesOf(last)).split(RULE).length - 1,
    differs: whereItDiffers(before ?? {}, last ?? {}),
    drops: (await talk.drops()).includes(true),
    violations: await talk.model.violations(),
  };
};

/** `paid`: summaries of which the provider has told what they took. */
const whole = (text: string, paid = text === "Told first." ? 1 : 2) => ({
  ...{ told: [text], paid, stored: [text], sent: [text], rules: 1, differs: undefined, drops: false, violations: [] },
});

describe("a summary, when the run's object dies", () => {
  it.for<[CrashPoint, string]>([
    ["before saveCompaction", "Told then."],
    ["after saveCompaction", "Told first."],
    ["before openMessage", "Told first."],
    ["after openMessage", "Told first."],
    ["before closeMessage", "Told first."],
    ["after closeMessage", "Told first."],
    ["before send session", "Told first."],
    ["after send session", "Told first."],
  ])("%s: there is one", async ([point, text], { expect }) => {
    const talk = await longChat(fourth());
    planCrashes(talk.thread, [point]);
    const events = await talk.person.follow((await talk.start("Fourth words")).events);
    expectWhole(events, "completed");
    await died(talk.thread);
    expect(await whatIsLeft(talk, events)).toEqual(whole(text));
  });

  it("while it is written: another one is made", async ({ expect }) => {
    const talk = await longChat([toCompaction(holdBefore(summary("Never told."))), ...fourth()]);
    const turn = await talk.start("Fourth words");
    await talk.model.reaches(4, "held");
    await abortAllDurableObjects();
    const events = await talk.person.follow(turn.events);
    expectWhole(events, "completed");
    expect(await whatIsLeft(talk, events)).toEqual(whole("Told first."));
  });

  it("while the answer after it is awaited: there is one", async ({ expect }) => {
    const talk = await longChat([holdBefore(say("Never said.")), ...fourth()]);
    const turn = await talk.start("Fourth words");
    await talk.model.reaches(5, "held");
    await abortAllDurableObjects();
    const events = await talk.person.follow(turn.events);
    expectWhole(events, "completed");
    expect(kinds(events).slice(0, 5)).toEqual([
      ...["run_start", "user_message", "context_compacted", "run_start", "message_start"],
    ]);
    expect(await whatIsLeft(talk, events)).toEqual(whole("Told first."));
  });
});

it("a summary that the run's object dies over, in a turn that is then stopped, is not made again", async ({
  expect,
}) => {
  const reads = message([thought("I look."), toolUse({ name: "list-stocks", input: {} })], LONG);
  const talk = await chat([
    ...[think("a", "One."), think("b", "Two."), think("c", "Three."), reads],
    ...[summary("Told first."), holdBefore(say("Never said.")), think("e", "Five."), summary("Told then.")],
  ]);
  await talk.turns("Many words. ".repeat(5_000), "Second words", "Third words");
  planCrashes(talk.thread, ["after saveCompaction"]);
  const { runId, events } = await talk.start("What do I own?");
  const following = talk.person.follow(events);
  await talk.model.reaches(6, "held");
  await died(talk.thread);
  await talk.person.abort(runId);
  expectWhole(await following, "aborted");
  await talk.handedOver();
  expect(ofType(await talk.turn("Fifth words"), "context_compacted")).toEqual([]);
  expect(await talk.summaryRequests()).toHaveLength(1);
});

describe("a summary, when the session's object dies", () => {
  it.for<CrashPoint>(["before saveCompaction", "after saveCompaction", "before finish", "after finish"])(
    "%s: there is one",
    async (point, { expect }) => {
      const talk = await longChat(fourth());
      planCrashes("session", [point]);
      const events = await talk.person.follow((await talk.start("Fourth words")).events);
      expectWhole(events, "completed");
      expect(await whatIsLeft(talk, events)).toEqual(whole("Told first."));
      await died("session");
    },
  );

  it.for<[CrashPoint, CrashPoint, string]>([
    ["before saveCompaction", "before saveCompaction", "Told then."],
    ["after saveCompaction", "before saveCompaction", "Told first."],
    ["after saveCompaction", "after saveCompaction", "Told first."],
  ])("%s and again %s: there is one, by the run's next attempt", async ([one, other, text], { expect }) => {
    const talk = await longChat(fourth());
    planCrashes("session", [one, other]);
    const log = captureLog();
    const turn = await talk.start("Fourth words");
    await log.wait({ message: "Session unreachable.", runId: turn.runId });
    await talk.person.wake(turn.runId);
    const events = await talk.person.follow(turn.events);
    expectWhole(events, "completed");
    await died("session");
    expect(await whatIsLeft(talk, events)).toEqual(whole(text));
  });
});
