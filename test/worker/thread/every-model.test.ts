/** Threads with each of the models that the committed table lists, and with all of them by turns, against the provider's rules. */
import { describe, it } from "vitest";
import { COMMITTED_MODELS, committedFacts } from "../../../src/model/model-facts.ts";
import { costOf } from "../../../src/model/token-prices.ts";
import { message, say, summary, think, thought, toolUse } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { chat } from "../../support/workerd/chat.ts";
import { handedOver } from "../../support/workerd/handed-over.ts";
import { theOnly } from "../../support/workerd/of-type.ts";

const FILES = { "a.txt": "What stands in the file." };

/** The model thinks, looks into the file, and answers. */
const looksThenAnswers = (): readonly Reply[] => [
  message([thought("I look."), toolUse({ name: "read_file", input: { path: "a.txt" } })]),
  think("I know.", "Done."),
];

/** The same of a model that does not think. */
const withoutThought = (): readonly Reply[] => [
  message([toolUse({ name: "read_file", input: { path: "a.txt" } })]),
  say("Done."),
];

const workOf = (model: string) => (committedFacts(model).hasAdaptiveThinking ? looksThenAnswers() : withoutThought());

/** A turn of this chat with this model, read to its end and handed over. */
const turnWith = async (talk: Awaited<ReturnType<typeof chat>>, model: string, text: string) => {
  const body = { threadId: talk.thread, prompt: talk.model.prompt(text), model };
  const events = await talk.person.events(Object((await talk.person.postTurn(body)).body).events);
  await handedOver(events);
  return theOnly(events, "run_end");
};

describe("a thread with one model", () => {
  it.for(COMMITTED_MODELS.map((model) => [model] as const))("%s", async ([model], { expect }) => {
    const work = ["One", "Two", "Three", "Four"].flatMap(() => workOf(model));
    const talk = await chat([...work, summary("So far.")], FILES);
    const ends = [];
    for (const text of ["One", "Two", "Three"]) ends.push(await turnWith(talk, model, text));
    expect(await talk.compact()).toMatchObject({ status: 200 });
    expect(await talk.summaries()).toHaveLength(committedFacts(model).canCompact ? 1 : 0);
    ends.push(await turnWith(talk, model, "Four"));
    expect(ends).toMatchObject(ends.map(() => ({ status: "completed", stopReason: "end_turn" })));
    const costs = ends.map(({ costUsd }) => costUsd);
    expect(costs.slice(0, 3)).toEqual(ends.slice(0, 3).map(({ usage }) => costOf(model, usage)));
    expect(costs.every((cost) => cost !== null)).toBe(true);
    expect(await talk.model.violations()).toEqual([]);
    expect(new Set((await talk.bodies()).map((body) => body.model))).toEqual(new Set([model]));
  });
});

it("a thread whose model changes with each turn, through all of them and back", async ({ expect }) => {
  const models = [...COMMITTED_MODELS, ...COMMITTED_MODELS.toReversed()];
  const talk = await chat(models.flatMap(workOf), FILES);
  for (const [at, model] of models.entries())
    expect(await turnWith(talk, model, `Turn ${at}`)).toMatchObject({ status: "completed" });
  expect(await talk.model.violations()).toEqual([]);
  expect((await talk.calls()).map((body) => body.model)).toEqual(models.flatMap((model) => [model, model]));
});

it("a thread that a model summarizes whose summary keeps no thinking valid, behind turns of one that binds it", async ({
  expect,
}) => {
  const [binds, summarizes] = ["claude-sonnet-5-5", "claude-sonnet-5"];
  const models = [binds, binds, binds, summarizes];
  const talk = await chat([...[...models, binds].flatMap(workOf), summary("So far.")], FILES);
  for (const [at, model] of models.entries())
    expect(await turnWith(talk, model, `Turn ${at}`)).toMatchObject({ status: "completed" });
  expect(await talk.compact()).toMatchObject({ status: 200 });
  expect((await talk.bodies()).at(-1)).toMatchObject({ model: summarizes, compaction: { type: "summarize" } });
  expect(await turnWith(talk, binds, "And now?")).toMatchObject({ status: "completed" });
  expect(await talk.model.violations()).toEqual([]);
});
