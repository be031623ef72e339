/** What calls cost: exact decimals by the price table, cached tokens at their own prices, nothing for what we do not know. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CostUsd, NO_USAGE, type Usage } from "../../../src/contract/run.ts";
import { COMMITTED_MODELS } from "../../../src/model/model-facts.ts";
import { costOf, priceOf, sumCosts } from "../../../src/model/token-prices.ts";

const used = (usage: Partial<Usage>): Usage => ({ ...NO_USAGE, ...usage });

/** Decimals of a price for a million tokens at most: one more is that of a tenth, six more those of one token, and D1 keeps twelve. */
const MAX_DECIMALS = 5;

const anyCount = fc.nat({ max: 2_000_000 });
const anyUsage = fc.record({
  ...{ inputTokens: anyCount, outputTokens: anyCount, cacheReadTokens: anyCount, cacheWriteTokens: anyCount },
});

describe("the cost of a call", () => {
  it.each([
    [{ inputTokens: 1_000_000 }, "2"],
    [{ outputTokens: 1_000_000 }, "10"],
    [{ cacheReadTokens: 1_000_000 }, "0.1"],
    [{ cacheWriteTokens: 1_000_000 }, "2.5"],
    [{ cacheWriteTokens: 1_000_000, cacheWrite1hTokens: 1_000_000 }, "4"],
    [{ cacheWriteTokens: 1_000_000, cacheWrite1hTokens: 200_000 }, "2.8"],
    [{ inputTokens: 1 }, "0.000002"],
    [{ cacheReadTokens: 1 }, "0.0000001"],
    [{ inputTokens: 3_123, outputTokens: 457, cacheReadTokens: 20_011, cacheWriteTokens: 1_999 }, "0.0178146"],
    [{}, "0"],
  ])("of the default model for %j is %s", (usage, cost) => {
    expect(costOf("claude-sonnet-5-5", used(usage))).toBe(cost);
  });

  it.each([
    ["claude-opus-5-5", "29.2"],
    ["claude-fable-5-2", "58.2"],
    ["claude-fable-5-1", "72.75"],
    ["claude-opus-5", "36.75"],
    ["claude-sonnet-5", "14.7"],
    ["claude-haiku-4-5", "7.35"],
    ["claude-haiku-4-5-20251001", "7.35"],
  ])("of %s for a million of each is %s", (model, cost) => {
    const million = 1_000_000;
    const usage = { inputTokens: million, outputTokens: million, cacheReadTokens: million, cacheWriteTokens: million };
    expect(costOf(model, usage)).toBe(cost);
  });

  it("of a model that is dearer for a long prompt goes by the whole prompt, cached tokens too", () => {
    const prompt = { inputTokens: 50_000, cacheReadTokens: 40_000, cacheWriteTokens: 10_000, outputTokens: 1_000 };
    expect(costOf("claude-haiku-5-5", prompt)).toBe("0.00715");
    expect(costOf("claude-haiku-5-5", { ...prompt, cacheReadTokens: 40_001 })).toBe("0.03575005");
  });

  it.each([
    ["claude-sonnet-5-5", "16.06"],
    ["claude-haiku-5-5", "4.0425"],
    ["claude-haiku-4-5", "7.35"],
  ])("of %s in the US for a million of each is %s: a tenth more, except of the oldest", (model, cost) => {
    const million = 1_000_000;
    const usage = { inputTokens: million, outputTokens: million, cacheReadTokens: million, cacheWriteTokens: million };
    expect(costOf(model, { ...usage, inferenceGeo: "us" })).toBe(cost);
  });

  it("is not known of a model without a price", () => {
    expect([costOf("demo", used({ inputTokens: 1 })), costOf("claude-opus-9", NO_USAGE)]).toEqual([null, null]);
  });

  it("is a plain decimal, and that of two calls is the sum of both, whatever they used", () => {
    fc.assert(
      fc.property(anyUsage, anyUsage, (a, b) => {
        const both = {
          inputTokens: a.inputTokens + b.inputTokens,
          outputTokens: a.outputTokens + b.outputTokens,
          cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
          cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
        };
        const costs = [a, b].map((usage) => costOf("claude-sonnet-5-5", usage));
        expect(CostUsd.safeParse(costs[0]).success).toBe(true);
        expect(sumCosts(costs)).toBe(costOf("claude-sonnet-5-5", both));
      }),
    );
  });
});

describe("a price", () => {
  it("is known of every model of the committed table, and fits what is kept of a cost", () => {
    const decimals = COMMITTED_MODELS.flatMap((model) =>
      Object.values(priceOf(model) ?? { none: "no price" }).map((price) => price.split(".")[1]?.length ?? 0),
    );
    expect(decimals).toHaveLength(4 * COMMITTED_MODELS.length);
    expect(Math.max(...decimals)).toBeLessThanOrEqual(MAX_DECIMALS);
  });

  it("is that of a short prompt, and of nothing else", () => {
    expect(priceOf("claude-haiku-5-5")).toEqual({
      input: "0.1",
      output: "0.5",
      cacheRead: "0.01",
      cacheWrite: "0.125",
    });
  });

  it("is not known of the demo model", () => {
    expect(priceOf("demo")).toBeNull();
  });
});

describe("a sum of costs", () => {
  it.each<[readonly (string | null)[], string | null]>([
    [[], "0"],
    [["0.1", "0.2"], "0.3"],
    [["0.0000001", "10"], "10.0000001"],
    [["0.1", null], null],
  ])("of %j is %s", (costs, sum) => {
    expect(sumCosts(costs)).toBe(sum);
  });
});
