/**
 * What model calls cost. The provider has no API for its prices, so they are copied here; a call is priced when its run ends or is
 * viewed, and stored costs never change.
 */
import Big from "big.js";
import type { PricePerMillion } from "../contract/models.ts";
import type { CostUsd, Usage } from "../contract/run.ts";
import { canonicalDecimal } from "../contract/stocks/canonical-decimal.ts";
import { familyOf } from "./model-facts.ts";

/** The prices of a model, and, if they differ, those of calls with a longer prompt, including cached tokens. */
type Price = PricePerMillion & {
  readonly long?: { readonly overTokens: number; readonly price: PricePerMillion };
};

/** A model that costs no more in the US, like all models before Opus 4.6. */
const OLDEST = "claude-haiku-4-5";

/**
 * US dollars for a million tokens. `cacheWrite` is for five minutes, the only kind that our own loop asks for. Copied on 2026-11-22 from
 * https://platform.claude.com/docs/en/about-claude/pricing. Sonnet 5.5's cache reads were 0.20 until 2026-10-07.
 * Inference in the US, which a workspace can have as its default, costs 1.1 times as much ("Data residency pricing" there, and
 * https://platform.claude.com/docs/en/manage-claude/data-residency).
 */
const PRICES: Readonly<Record<string, Price>> = {
  "claude-sonnet-5-5": { input: "2", output: "10", cacheRead: "0.1", cacheWrite: "2.5" },
  "claude-opus-5-5": { input: "4", output: "20", cacheRead: "0.2", cacheWrite: "5" },
  "claude-fable-5-2": { input: "8", output: "40", cacheRead: "0.2", cacheWrite: "10" },
  "claude-fable-5-1": { input: "10", output: "50", cacheRead: "0.25", cacheWrite: "12.5" },
  "claude-haiku-5-5": {
    ...{ input: "0.1", output: "0.5", cacheRead: "0.01", cacheWrite: "0.125" },
    long: { overTokens: 100_000, price: { input: "0.5", output: "2.5", cacheRead: "0.05", cacheWrite: "0.625" } },
  },
  "claude-opus-5": { input: "5", output: "25", cacheRead: "0.5", cacheWrite: "6.25" },
  "claude-sonnet-5": { input: "2", output: "10", cacheRead: "0.2", cacheWrite: "2.5" },
  [OLDEST]: { input: "1", output: "5", cacheRead: "0.1", cacheWrite: "1.25" },
};

/** The prices of a model's tokens, snapshots by their family; null when unknown. For a short prompt, if the length matters. */
export const priceOf = (model: string): PricePerMillion | null => {
  const price = PRICES[familyOf(model)];
  if (price === undefined) return null;
  const { long: _, ...short } = price;
  return short;
};

/** What a token written to the cache for an hour costs, in input tokens ("Prompt caching" on the same page). */
const HOUR_FACTOR = 2;

/** The cost of one call, exact; null when the model's prices are unknown. */
export const costOf = (model: string, usage: Usage): CostUsd | null => {
  const price = PRICES[familyOf(model)];
  if (price === undefined) return null;
  const promptTokens = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  const { long } = price;
  const hourTokens = Math.min(usage.cacheWrite1hTokens ?? 0, usage.cacheWriteTokens);
  const { input, output, cacheRead, cacheWrite } =
    long !== undefined && promptTokens > long.overTokens ? long.price : price;
  const parts = [
    new Big(input).times(usage.inputTokens),
    new Big(output).times(usage.outputTokens),
    new Big(cacheRead).times(usage.cacheReadTokens),
    new Big(cacheWrite).times(usage.cacheWriteTokens - hourTokens),
    new Big(input).times(HOUR_FACTOR).times(hourTokens),
  ];
  const isDearer = usage.inferenceGeo === "us" && familyOf(model) !== OLDEST;
  // A multiplication, because big.js rounds quotients.
  return plain(parts.reduce((sum, part) => sum.plus(part)).times(isDearer ? "0.0000011" : "0.000001"));
};

/** The sum of some costs, exact; null as soon as one is unknown, `0` for an empty list. */
export const sumCosts = (costs: readonly (CostUsd | null)[]): CostUsd | null => {
  const known = costs.filter((cost) => cost !== null);
  return known.length < costs.length ? null : plain(known.reduce((sum, cost) => sum.plus(cost), new Big(0)));
};

const plain = (amount: Big): CostUsd => canonicalDecimal(amount.toFixed());
