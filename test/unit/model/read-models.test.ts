/** What the Models API's answer says of models, and what is left to the committed table. */
import { describe, expect, it } from "vitest";
import { readModels } from "../../../src/model/anthropic/fetch-models.ts";
import { committedFacts } from "../../../src/model/model-facts.ts";

const is = (supported: boolean) => ({ supported });

/** A model as the API tells of it. */
const info = (change: Readonly<Record<string, unknown>> = {}) => ({
  ...{ type: "model", id: "claude-sonnet-5-5", display_name: "Sonnet", created_at: "2026-09-28T00:00:00Z" },
  ...{ max_input_tokens: 900_000, max_tokens: 100_000, lifecycle: "active", line: "sonnet" },
  capabilities: {
    effort: { ...is(true), low: is(true), medium: is(false), high: is(true), xhigh: null, max: is(true) },
    thinking: { ...is(true), types: { adaptive: is(false), enabled: is(true) } },
    compaction: { ...is(false), summarize: is(false) },
  },
  ...change,
});

const read = (...models: readonly unknown[]) => readModels({ data: models, has_more: false });

describe("a model of the answer", () => {
  it("has its figures, levels and abilities", () => {
    expect(read(info())).toEqual([
      {
        ...{ id: "claude-sonnet-5-5", name: "Sonnet", contextTokens: 900_000, maxOutputTokens: 100_000 },
        ...{ efforts: ["low", "high", "max"], hasAdaptiveThinking: false, canCompact: false },
      },
    ]);
  });

  it.each([
    ["nulls", { display_name: null, max_input_tokens: null, max_tokens: null, capabilities: null }],
    ["nothing", { display_name: undefined, max_input_tokens: undefined, max_tokens: undefined, capabilities: {} }],
    [
      "nonsense",
      { display_name: 7, max_input_tokens: 0, max_tokens: "many", capabilities: { effort: [], thinking: 1 } },
    ],
  ])("with %s keeps the committed figures", (_, change) => {
    expect(read(info(change))).toEqual([committedFacts("claude-sonnet-5-5")]);
  });

  it("keeps what is committed of compaction where the answer does not speak of it", () => {
    const { capabilities } = info();
    const change = { capabilities: { ...capabilities, compaction: null } };
    expect(read(info(change))[0]).toMatchObject({ canCompact: true, hasAdaptiveThinking: false });
  });

  it("that has no choice of effort has no levels", () => {
    const effort = { ...is(false), low: is(true), medium: is(true), high: is(true), xhigh: null, max: is(true) };
    expect(read(info({ capabilities: { effort } }))[0]).toMatchObject({ efforts: [] });
  });

  it("nobody has heard of has the least of what is not said", () => {
    expect(read({ type: "model", id: "claude-new-7", max_input_tokens: 500_000 })).toEqual([
      { ...committedFacts("claude-new-7"), contextTokens: 500_000 },
    ]);
  });
});

describe("a snapshot", () => {
  const snapshot = (id: string) => info({ id, max_tokens: id.length });

  it("represents its family, the newest one first, when that is not listed itself", () => {
    const [newer, older] = ["claude-haiku-4-5-20260101", "claude-haiku-4-5-20251001"];
    expect(read(snapshot(newer), snapshot(older)).map(({ id }) => id)).toEqual([newer, older, "claude-haiku-4-5"]);
    expect(read(snapshot(newer), snapshot(older)).at(-1)).toMatchObject({ maxOutputTokens: newer.length });
  });

  it("leaves its family alone where that is listed", () => {
    const ids = ["claude-haiku-4-5", "claude-haiku-4-5-20251001"];
    expect(read(...ids.map(snapshot)).map(({ id }) => id)).toEqual(ids);
  });
});

describe("an answer", () => {
  it.each([[{}], [[]], [null], ["models"], [{ data: {} }]])("of another shape is refused: %j", (answer) => {
    expect(() => readModels(answer)).toThrow("no list of models");
  });

  it("without a single model we can read is refused", () => {
    expect(() => read({ id: 7 }, null, {}, { id: "" })).toThrow("no list of models");
  });

  it("loses only those models that cannot be read", () => {
    expect(read(null, info(), { id: 7 }).map(({ id }) => id)).toEqual(["claude-sonnet-5-5"]);
  });
});
