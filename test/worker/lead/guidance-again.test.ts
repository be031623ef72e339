/** The accepted plan and the to-dos outlive the turn that set them: a summary of it, and a conversation that began anew (decision 0148). */
import { expect, it } from "vitest";
import { whereItDiffers } from "../../support/append-only.ts";
import { callTools, message, say, summary, think, thought } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { fail } from "../../support/model-troubles.ts";
import { type Body, chat, messagesOf } from "../../support/workerd/chat.ts";
import { died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { theOnly } from "../../support/workerd/of-type.ts";

const PLAN = "1. Look around\n2. Add AAPL";
const ITEMS = [
  { text: "Look around", state: "done" },
  { text: "Add AAPL", state: "open" },
];

const thinks = (text: string) => think(`About ${text}`, text);

/** A chat whose first turn has its plan accepted and sets to-dos. */
const plannedFirst = async (replies: readonly Reply[]) => {
  const talk = await chat([
    callTools([{ name: "propose_plan", input: { markdown: PLAN } }]),
    callTools([{ name: "set_todos", input: { items: ITEMS } }]),
    say("I have looked around."),
    ...replies,
  ]);
  const { person, thread, model } = talk;
  const { body } = await person.postTurn({ threadId: thread, prompt: model.prompt("Plan it"), mode: "plan" });
  const runId = String(Object(body).runId);
  const asked = theOnly(await person.eventsUntil(`/_framework/runs/${runId}/events`, "run_status"), "plan_proposed");
  await person.decide(runId, asked.requestId, { decision: "allow_once" });
  expectWhole(await person.follow(`/_framework/runs/${runId}/events`), "completed");
  await talk.handedOver();
  return talk;
};

const long = message([thought("c"), { type: "text", text: "Four." }], { usage: { input: 160_000 } });

/** The same with more turns behind it, of which the next makes a summary. */
const planned = async () => {
  const later = [summary("They work."), thinks("Five."), thinks("Six."), thinks("Seven.")];
  const talk = await plannedFirst([thinks("Two."), thinks("Three."), long, ...later]);
  await talk.turns("Second words", "Third words", "Fourth words");
  await talk.handedOver();
  return talk;
};

const refused = () => fail(400, "invalid_request_error", "messages.1: something nobody thought of");

/** How often a request says each of both again. */
const said = (body: Body | undefined): number[] =>
  ["The plan that the person accepted in an earlier turn.", "Your to-dos, as you last set them"].map(
    (words) => JSON.stringify(messagesOf(body)).split(words).length - 1,
  );

it("are said behind the summary, once, and requests only grow from there", async () => {
  const talk = await planned();
  expect(said((await talk.calls()).at(-1))).toEqual([0, 0]);
  expectWhole(await talk.turn("Fifth words"), "completed");
  const fifth = (await talk.calls()).at(-1);
  expect(said(fifth)).toEqual([1, 1]);
  const text = JSON.stringify(messagesOf(fifth).at(-1));
  expect(text).toContain(JSON.stringify(PLAN).slice(1, -1));
  expect(text).toContain("[open] Add AAPL");
  await talk.handedOver();
  expectWhole(await talk.turn("Sixth words"), "completed");
  const sixth = (await talk.calls()).at(-1);
  expect(whereItDiffers(fifth ?? {}, sixth ?? {})).toBeUndefined();
  expect(said(sixth)).toEqual([1, 1]);
  expect(await talk.drops()).not.toContain(true);
  expect(await talk.model.violations()).toEqual([]);
});

it("are said again where the turn that repeated them is gone back to before", async () => {
  const talk = await planned();
  const fifth = await talk.start("Fifth words");
  await talk.person.follow(fifth.events);
  await talk.handedOver();
  const path = talk.person.threadPath(talk.thread);
  expect((await talk.person.ask("POST", `${path}/rewind`, { beforeRunId: fifth.runId })).status).toBe(200);
  expectWhole(await talk.turn("Other words"), "completed");
  expect(said((await talk.calls()).at(-1))).toEqual([1, 1]);
  expect(await talk.model.violations()).toEqual([]);
});

it("are said in the request that begins anew, and outlive a summary of that turn, which ended at once", async () => {
  const later = [thinks("Three."), thinks("Four."), long, summary("They work."), thinks("Six.")];
  const talk = await plannedFirst([refused(), refused(), say("Anew."), ...later]);
  const anew = await talk.turn("Second words");
  expectWhole(anew, "completed");
  expect(theOnly(anew, "context_reset").reason).toContain("no longer sent");
  expect(said((await talk.calls()).at(-1))).toEqual([1, 1]);
  await talk.handedOver();
  await talk.turns("Third words", "Fourth words", "Fifth words");
  expect(said((await talk.calls()).at(-1))).toEqual([1, 1]);
  await talk.handedOver();
  expectWhole(await talk.turn("Sixth words"), "completed");
  const sixth = (await talk.calls()).at(-1);
  expect(JSON.stringify(sixth)).toContain("They work.");
  expect(said(sixth)).toEqual([1, 1]);
  expect(await talk.model.violations()).toEqual([]);
});

it.for([
  ["before startEpoch", [refused(), refused(), say("Never said."), refused(), refused(), say("Here.")]],
  ["after startEpoch", [refused(), refused(), say("Never said."), say("Here.")]],
] as const)("are said where the run dies %s", async ([point, replies]) => {
  const talk = await plannedFirst([...replies, say("Later.")]);
  planCrashes(talk.thread, [point]);
  expectWhole(await talk.person.follow((await talk.start("Second words")).events), "completed");
  await died(talk.thread);
  expect(said((await talk.calls()).at(-1))).toEqual([1, 1]);
  await talk.handedOver();
  expectWhole(await talk.turn("Third words"), "completed");
  expect(said((await talk.calls()).at(-1))).toEqual([1, 1]);
  expect(await talk.model.violations()).toEqual([]);
});
