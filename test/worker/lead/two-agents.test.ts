/** A chat in which two agents had turns goes back and is branched as one: each agent from its own past (decision 0171). */
import { expect, inject, it } from "vitest";
import { z } from "zod";
import { whereItDiffers } from "../../support/append-only.ts";
import { message, summary, think, thought, toolUse } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { askAsDeveloper, askWith } from "../../support/workerd/ask-as-developer.ts";
import { asksForSummary, type Body } from "../../support/workerd/chat.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { kinds } from "../../support/workerd/run-client.ts";
import { fileOf, host, lead, runsIn, sdkSessionOf, sdkThread } from "../../support/workerd/sdk-thread.ts";

const Forked = z.object({ threadId: z.string() });

const thinks = (text: string) => think(`About ${text}`, text);

/** A turn that thinks, reads, thinks again and speaks. */
const reading = (text: string): Reply[] => [
  message([thought(`Look for ${text}`), toolUse({ name: "list-stocks", input: {} })]),
  thinks(text),
];

/** A chat with both agents. `ours` is the loop over the Messages API, which plays these replies. */
const talkOf = async (replies: readonly Reply[]) => {
  const model = await scriptModel(inject("modelUrl"), replies);
  const bodies = async (): Promise<Body[]> => (await model.requests()).map(({ body }) => body);
  const { threadId } = sdkThread();
  const oursIn = async (thread: string, text: string) =>
    (await sdkThread(undefined, thread).start(model.prompt(text), "anthropic")).handedOver();
  const theirsIn = async (thread: string, text: string) =>
    (await sdkThread(undefined, thread).start(text)).handedOver();
  return {
    model,
    threadId,
    oursIn,
    theirsIn,
    ours: (text: string) => oursIn(threadId, text),
    theirs: (text: string) => theirsIn(threadId, text),
    calls: async () => (await bodies()).filter((body) => !asksForSummary(body)),
    drops: async () => (await bodies()).map(({ thinking }) => Object(thinking).block_binding !== undefined),
    fork: async (nth: number, key?: string) => Forked.parse((await lead(threadId, "fork", nth, key)).body).threadId,
  };
};

it("with tools, thinking, two agents and a summary: branched, without its original, and gone back in", async () => {
  const long = message([thought("c"), { type: "text", text: "Four." }], { usage: { input: 160_000 } });
  const talk = await talkOf([
    ...[...reading("One."), thinks("Two."), thinks("Three."), long, summary("They greet."), thinks("Five.")],
    ...[thinks("Branched."), thinks("Back.")],
  ]);
  await talk.ours("First words");
  const theirs = await sdkThread(undefined, talk.threadId).start("[replay:read-edits-stock] Do it");
  const { seq } = await theirs.decideNext(0, "allow_once");
  await theirs.decideNext(seq, "reject");
  const original = await sdkSessionOf(await theirs.handedOver());
  for (const text of ["Third words", "Fourth words", "Fifth words"]) await talk.ours(text);
  expect(kinds(await talk.ours("Sixth words"))).toContain("context_compacted");
  await talk.theirs("Seventh words");

  const branch = await talk.fork(7);
  expect((await runsIn(branch)).map(({ inherited }) => inherited)).toEqual(Array.from({ length: 6 }, () => true));
  await askAsDeveloper("DELETE", `/_framework/threads/${talk.threadId}`);
  await host().deleteSessions([original]);
  const [inherited] = await runsIn(branch);
  expect(await askAsDeveloper("GET", `/_framework/runs/${inherited?.runId}`)).toMatchObject({ status: 200 });

  const before = await talk.calls();
  expectWhole(await talk.oursIn(branch, "Branch words"), "completed");
  const branched = (await talk.calls()).at(-1);
  expect(whereItDiffers(before.at(-1) ?? {}, branched ?? {})).toBeUndefined();
  expect(JSON.stringify(branched)).not.toContain("Seventh words");
  const resumed = await talk.theirsIn(branch, "Words for the other");
  expectWhole(resumed, "completed");
  expect(theOnly(resumed, "run_start").resumed).toBe(true);
  expect(await sdkSessionOf(resumed)).not.toBe(original);
  expect((await fileOf(resumed)).filter((line) => line.startsWith("back:"))).toEqual(["back:3"]);

  // To before the first turn that the summary covers and that is not of the other agent.
  expect(await lead(branch, "rewind", 3)).toMatchObject({ status: 200 });
  expectWhole(await talk.oursIn(branch, "Other words"), "completed");
  const last = (await talk.calls()).at(-1);
  expect(whereItDiffers(before[1] ?? {}, last ?? {})).toBeUndefined();
  // What the other agent did before that is told, and what is replaced is not.
  const said = ["They greet.", "Third words", "Branch words", "Words for the other", "[replay:read-edits-stock] Do it"];
  expect(said.map((words) => JSON.stringify(last).includes(words))).toEqual([false, false, false, false, true]);
  const back = await talk.theirsIn(branch, "Once more");
  expectWhole(back, "completed");
  expect((await fileOf(back)).filter((line) => line.startsWith("back:"))).toEqual(["back:3", "back:3"]);
  expect(ofType(back, "context_reset")).toEqual([]);
  expect(await talk.drops()).not.toContain(true);
  expect(await talk.model.violations()).toEqual([]);
});

it("goes back with both, and each goes on behind what is left of its own", async () => {
  const talk = await talkOf([thinks("Ours."), thinks("Ours again.")]);
  await talk.ours("First");
  await talk.theirs("[replay:two-turns] Hello");
  await talk.theirs("Second words");
  expect(await lead(talk.threadId, "rewind", 3)).toMatchObject({ status: 200 });
  expect(await fileOf(await talk.theirs("Other words"))).toEqual(["two-turns", "1", "back:1", "1"]);
  await talk.ours("Last");
  const asked = JSON.stringify((await talk.calls()).at(-1));
  expect(["Other words", "Second words"].map((words) => asked.includes(words))).toEqual([true, false]);
});

it("a branch has a copy only of agents whose turns it inherits, and of none without turns", async () => {
  const talk = await talkOf([thinks("Ours."), thinks("Branched.")]);
  await talk.ours("First");
  await talk.theirs("[replay:two-turns] Hello");
  await talk.theirs("Second words");
  const early = await talk.fork(2);
  expect(theOnly(await talk.oursIn(early, "Branch words"), "run_start").resumed).toBe(true);
  expect(theOnly(await talk.theirsIn(early, "[replay:two-turns] Hello"), "run_start").resumed).toBe(false);
  await lead(talk.threadId, "rewind", 1);
  await talk.theirs("[replay:two-turns] Anew");
  await talk.theirs("And on");
  const theirsAlone = await talk.fork(5);
  expect((await runsIn(theirsAlone)).map(({ inherited }) => inherited)).toEqual([true]);
  expect(theOnly(await talk.theirsIn(theirsAlone, "Branch words"), "run_start").resumed).toBe(true);
  expect(await runsIn(await talk.fork(1))).toEqual([]);
});

it("a key has its branch, whatever the original has become since", async () => {
  const long = message([thought("c"), { type: "text", text: "Four." }], { usage: { input: 160_000 } });
  const talk = await talkOf([
    ...[thinks("One."), thinks("Two."), thinks("Three."), thinks("Branched.")],
    ...[long, summary("They greet."), thinks("Five."), thinks("Six.")],
  ]);
  for (const text of ["First words", "Second words", "Third words"]) await talk.ours(text);
  const branch = await talk.fork(3, "k");
  const [third] = (await runsIn(talk.threadId)).slice(2);
  const path = `/_framework/threads/${talk.threadId}`;
  await talk.oursIn(branch, "Branch words");
  const branched = (await talk.calls()).at(-1);
  await talk.ours("Fourth words");
  expect(kinds(await talk.ours("Fifth words"))).toContain("context_compacted");
  expect(await talk.fork(3, "k")).toBe(branch);
  await talk.oursIn(branch, "Branch words again");
  expect(whereItDiffers(branched ?? {}, (await talk.calls()).at(-1) ?? {})).toBeUndefined();
  await askAsDeveloper("DELETE", path);
  const again = await askAsDeveloperWithKey(`${path}/fork`, { beforeRunId: third?.runId });
  expect(again).toEqual({ status: 200, body: { threadId: branch } });
  expect(await talk.model.violations()).toEqual([]);
});

const askAsDeveloperWithKey = (path: string, body: object) =>
  askWith({}, "POST", path, body, { "Idempotency-Key": "k" });
