/** The model and the effort that a turn's body chooses: what is allowed, what the model is asked, what is refused (api.md §7). */
import { env } from "cloudflare:test";
import { describe, inject, it } from "vitest";
import { COMMITTED_MODELS, committedFacts } from "../../../src/model/model-facts.ts";
import { say } from "../../support/model-script.ts";
import { holdMidStream } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { answerOf } from "../../support/workerd/answer.ts";
import { askWith } from "../../support/workerd/ask-as-developer.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { fetchAs } from "../../support/workerd/fetch-as.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const ALLOWED = `model: use one of ${COMMITTED_MODELS.join(", ")}.`;
const ALL_EFFORTS = "effort: use one of low, medium, high, xhigh, max.";
const NO_EFFORT = "effort: use one of the model's levels. claude-haiku-4-5 has none, so leave it out.";

const refused = (error: string) => ({ status: 400, body: { error } });

/** A turn of somebody new with this choice, read to its end, and what the model was asked. */
const chosenTurn = async (choice: Readonly<Record<string, unknown>>) => {
  const script = await scriptModel(inject("modelUrl"), [say("Hi.")]);
  const client = somebody();
  const { status, body } = await client.postTurn({ threadId: "t", prompt: script.prompt("Hello"), ...choice });
  const events = await client.events(Object(body).events);
  const [request] = await script.requests();
  return { status, events, asked: request?.body ?? {}, violations: await script.violations() };
};

/** Stores facts of a model as the provider might tell them. */
const storeFacts = async (id: string, change: Readonly<Record<string, unknown>>) => {
  const facts = JSON.stringify({ ...committedFacts(id), ...change });
  await env.DB.prepare("INSERT OR REPLACE INTO model_facts (id, facts, fetched_at_ms) VALUES (?, ?, 0)")
    .bind(id, facts)
    .run();
};

describe("a turn's model", () => {
  it("answers it, with the effort that was chosen", async ({ expect }) => {
    const { events, asked, violations } = await chosenTurn({ model: "claude-opus-5-5", effort: "low" });
    expect(theOnly(events, "run_start").model).toBe("claude-opus-5-5");
    expect(asked).toMatchObject({
      ...{ model: "claude-opus-5-5", output_config: { effort: "low" }, max_tokens: 32_768 },
      thinking: { type: "adaptive", display: "summarized" },
    });
    // Ten tokens in, five out, at its own prices.
    expect(theOnly(events, "run_end").costUsd).toBe("0.00014");
    expectWhole(events, "completed");
    expect(violations).toEqual([]);
  });

  it.for([
    ["nothing", {}],
    ["null", { model: null, effort: null }],
  ] as const)("is the default where %s is chosen, with an effort of its own", async ([, choice], { expect }) => {
    const { events, asked } = await chosenTurn(choice);
    expect(theOnly(events, "run_start").model).toBe("claude-sonnet-5-5");
    expect(asked).toMatchObject({ model: "claude-sonnet-5-5" });
    expect(asked).not.toHaveProperty("output_config");
  });

  it("is not asked for thinking when it has no adaptive thinking", async ({ expect }) => {
    const { asked, violations } = await chosenTurn({ model: "claude-haiku-4-5" });
    expect(asked).toMatchObject({ model: "claude-haiku-4-5" });
    expect(violations).toEqual([]);
    expect(asked).not.toHaveProperty("thinking");
  });

  it("holds for its run alone, and for each further attempt of it", async ({ expect }) => {
    const script = await scriptModel(inject("modelUrl"), [say("One."), say("Two.")]);
    const client = somebody();
    const prompt = script.prompt("Hello");
    const first = await client.postTurn({ threadId: "t", prompt, model: "claude-haiku-5-5" });
    await client.events(Object(first.body).events);
    await client.runToEnd("t", prompt);
    const models = (await script.requests()).map(({ body }) => body.model);
    expect(models).toEqual(["claude-haiku-5-5", "claude-sonnet-5-5"]);
  });

  it.for([["claude-opus-9"], [""], ["claude-sonnet-5-5 "], ["demo"], [7], [true], [["claude-sonnet-5-5"]], [{}]])(
    "is not %j",
    async ([model], { expect }) => {
      const client = somebody();
      expect(await client.postTurn({ threadId: "t", prompt: "Hello", model })).toEqual(refused(ALLOWED));
      expect(await client.ask("GET", "/_framework/threads")).toMatchObject({ body: { threads: [] } });
    },
  );
});

describe("AGENT_MODELS", () => {
  const ask = (variables: Readonly<Record<string, string>>, body: Readonly<Record<string, unknown>>) =>
    askWith(variables, "POST", "/api/agent/turn", { threadId: "t", prompt: "Hello", ...body });

  it("lists what is allowed besides the default", async ({ expect }) => {
    const variables = { AGENT_MODELS: " claude-opus-5-5,, claude-haiku-5-5 " };
    const error = "model: use one of claude-sonnet-5-5, claude-opus-5-5, claude-haiku-5-5.";
    expect(await ask(variables, { model: "claude-fable-5-2" })).toEqual(refused(error));
  });

  it("need not hold the default, which AGENT_MODEL names", async ({ expect }) => {
    const variables = { AGENT_MODEL: "claude-opus-5", AGENT_MODELS: "claude-haiku-5-5,claude-opus-5" };
    const error = "model: use one of claude-opus-5, claude-haiku-5-5.";
    expect(await ask(variables, { model: "claude-sonnet-5-5" })).toEqual(refused(error));
  });

  it("counts for nothing where the demo model answers, which takes no effort", async ({ expect }) => {
    const variables = { ANTHROPIC_API_KEY: "", DEMO_MODEL: "true", AGENT_MODELS: "claude-opus-5-5" };
    expect(await ask(variables, { model: "claude-opus-5-5" })).toEqual(refused("model: use one of demo."));
    const error = "effort: use one of the model's levels. demo has none, so leave it out.";
    expect(await ask(variables, { model: "demo", effort: "low" })).toEqual(refused(error));
  });
});

describe("a turn's effort", () => {
  it.for([["huge"], [""], ["LOW"], [1], [false], [["low"]], [{}]])("is not %j", async ([effort], { expect }) => {
    const client = somebody();
    expect(await client.postTurn({ threadId: "t", prompt: "Hello", effort })).toEqual(refused(ALL_EFFORTS));
    expect(await client.ask("GET", "/_framework/threads")).toMatchObject({ body: { threads: [] } });
  });

  it.for([["low"], ["huge"], [1]])("is not %j of a model without such a choice", async ([effort], { expect }) => {
    const body = { threadId: "t", prompt: "Hello", model: "claude-haiku-4-5", effort };
    expect(await somebody().postTurn(body)).toEqual(refused(NO_EFFORT));
  });

  it("is one of those that the provider tells of", async ({ expect }) => {
    await storeFacts("claude-fable-5-1", { efforts: ["low", "high"] });
    const body = { threadId: "t", prompt: "Hello", model: "claude-fable-5-1" };
    expect(await somebody().postTurn({ ...body, effort: "medium" })).toEqual(refused("effort: use one of low, high."));
    const { asked } = await chosenTurn({ model: "claude-fable-5-1", effort: "high" });
    expect(asked).toMatchObject({ output_config: { effort: "high" } });
  });
});

it("what the provider tells of a model is what its run goes by", async ({ expect }) => {
  await storeFacts("claude-opus-5", { maxOutputTokens: 1_234, hasAdaptiveThinking: false });
  const { asked, violations } = await chosenTurn({ model: "claude-opus-5" });
  expect(asked).toMatchObject({ model: "claude-opus-5", max_tokens: 1_234 });
  expect(violations).toEqual([]);
  expect(asked).not.toHaveProperty("thinking");
});

it("of a snapshot it is that of its family", async ({ expect }) => {
  await storeFacts("claude-sonnet-5", { efforts: ["max"] });
  const variables = { AGENT_MODEL: "claude-sonnet-5-20260630" };
  const body = { threadId: crypto.randomUUID(), prompt: "Hello", effort: "low" };
  const answer = await askWith(variables, "POST", "/api/agent/turn", body);
  expect(answer).toEqual(refused("effort: use one of max."));
});

describe("the order of checks", () => {
  const CHOICE = { model: "claude-opus-9", effort: "huge" };

  it("has 401 first, then what is empty, then ids and sizes, then the model, then the effort", async ({ expect }) => {
    const { postTurn } = somebody();
    const body = JSON.stringify({ threadId: "t", prompt: "Hello", ...CHOICE });
    const init = { method: "POST", body, headers: { "content-type": "application/json" } };
    expect(await answerOf(await fetchAs(null, "/api/agent/turn", init))).toMatchObject({ status: 401 });
    expect(await postTurn({ threadId: "t", prompt: " ", ...CHOICE })).toEqual(
      refused("threadId and prompt are required."),
    );
    expect(await postTurn({ threadId: "t".repeat(201), prompt: "Hello", ...CHOICE })).toEqual(
      refused("threadId: use at most 200 characters."),
    );
    expect(await postTurn({ threadId: "t", prompt: "p".repeat(200_001), ...CHOICE })).toMatchObject({ status: 413 });
    expect(await postTurn({ threadId: "t", prompt: "Hello", ...CHOICE })).toEqual(refused(ALLOWED));
    expect(await postTurn({ threadId: "t", prompt: "Hello", effort: "huge" })).toEqual(refused(ALL_EFFORTS));
  });

  it("has a bad effort before a known key and before too many open runs", async ({ expect }) => {
    const script = await scriptModel(inject("modelUrl"), [holdMidStream("One", "!")]);
    const client = somebody();
    const prompt = script.prompt("Hello");
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const first = await client.postTurn({ threadId: "t", prompt }, key);
    await Promise.all(Array.from({ length: 8 }, () => client.startTurn("t", prompt)));
    expect(await client.postTurn({ threadId: "t", prompt, effort: "huge" }, key)).toEqual(refused(ALL_EFFORTS));
    expect(await client.postTurn({ threadId: "t", prompt, effort: "huge" })).toEqual(refused(ALL_EFFORTS));
    // A turn is the same by its thread and its prompt alone.
    expect(await client.postTurn({ threadId: "t", prompt, effort: "low", model: "claude-opus-5-5" }, key)).toEqual(
      first,
    );
    expect(await client.postTurn({ threadId: "t", prompt, effort: "low" })).toMatchObject({ status: 429 });
  });
});
