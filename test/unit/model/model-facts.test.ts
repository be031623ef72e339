/** What the committed table says of models: the ones it holds, their snapshots, and those nobody here has heard of. */
import { describe, expect, it } from "vitest";
import { COMMITTED_MODELS, committedFacts, familyOf, ModelFacts, readFacts } from "../../../src/model/model-facts.ts";

describe("the committed facts", () => {
  it("begin with the default model: a million tokens, thinking, five efforts, a summary on demand", () => {
    expect(COMMITTED_MODELS[0]).toBe("claude-sonnet-5-5");
    expect(committedFacts("claude-sonnet-5-5")).toEqual({
      id: "claude-sonnet-5-5",
      name: "Claude Sonnet 5.5",
      contextTokens: 1_000_000,
      maxOutputTokens: 128_000,
      efforts: ["low", "medium", "high", "xhigh", "max"],
      hasAdaptiveThinking: true,
      canCompact: true,
    });
  });

  it.each(["claude-opus-5-5", "claude-fable-5-2", "claude-fable-5-1", "claude-haiku-5-5", "claude-opus-5"])(
    "hold %s",
    (id) => {
      expect(committedFacts(id)).toMatchObject({ id, contextTokens: 1_000_000, hasAdaptiveThinking: true });
    },
  );

  it.each([
    ["claude-opus-5", true],
    ["claude-sonnet-5", true],
    ["claude-haiku-4-5", false],
  ])("know whether %s can summarize: %j", (id, canCompact) => {
    expect(committedFacts(id)).toMatchObject({ id, canCompact });
  });

  it("know a model without effort and adaptive thinking", () => {
    expect(committedFacts("claude-haiku-4-5")).toMatchObject({
      ...{ contextTokens: 200_000, maxOutputTokens: 64_000, efforts: [] },
      ...{ hasAdaptiveThinking: false, canCompact: false },
    });
  });

  it("are a snapshot's family's, under its own id", () => {
    const id = "claude-sonnet-5-5-20260928";
    expect(committedFacts(id)).toEqual({ ...committedFacts("claude-sonnet-5-5"), id });
  });

  it("are the least there is for a model that nobody has heard of", () => {
    expect(committedFacts("claude-opus-9")).toEqual({
      ...{ id: "claude-opus-9", name: "claude-opus-9", contextTokens: 200_000, maxOutputTokens: 8_192 },
      ...{ efforts: [], hasAdaptiveThinking: false, canCompact: false },
    });
  });

  it("are all whole", () => {
    expect(COMMITTED_MODELS.map((id) => ModelFacts.parse(committedFacts(id)).id)).toEqual(COMMITTED_MODELS);
  });
});

describe("stored facts", () => {
  const stored = { ...committedFacts("claude-opus-5"), contextTokens: 7 };

  it("are read for the id that is asked for, which may be a snapshot's", () => {
    const id = "claude-opus-5-20260724";
    expect(readFacts(JSON.stringify(stored), id)).toEqual({ ...stored, id });
  });

  it.each([
    ["nothing", undefined],
    ["what lacks a figure", '{"id":"claude-opus-5"}'],
    ["another shape", "[]"],
  ])("are none where %s is stored", (_, text) => {
    expect(readFacts(text, "claude-opus-5")).toBeUndefined();
  });
});

it.each([
  ["claude-haiku-4-5-20251001", "claude-haiku-4-5"],
  ["claude-sonnet-5-5", "claude-sonnet-5-5"],
  ["claude-opus-4-1", "claude-opus-4-1"],
])("the family of %s is %s", (id, family) => {
  expect(familyOf(id)).toBe(family);
});
