/**
 * What the real API refuses, as far as a client of ours could break it. Each rule is a function in `rules/`; a test can
 * switch one off by its name. Source of the rules: https://platform.claude.com/docs/en/api/messages and its errors.
 */
import { type Call, callOf } from "./rules/call.ts";
import { compactionProblem } from "./rules/compaction.ts";
import {
  blankTextProblem,
  cacheControlProblem,
  emptyContentProblem,
  opaqueProblem,
  toolNamesProblem,
  toolSchemasProblem,
} from "./rules/content.ts";
import { fieldsProblem } from "./rules/fields.ts";
import { betasProblem, oauthProblem, surrogatesProblem } from "./rules/headers-and-text.ts";
import {
  effortProblem,
  lengthProblem,
  maxTokensProblem,
  modelsProblem,
  samplingProblem,
  thinkingProblem,
  toolChoiceProblem,
} from "./rules/model-limits.ts";
import { parseRequest } from "./rules/request-shape.ts";
import { invalid, type Refusal, type RuleName } from "./rules/rule.ts";
import { lastAnswerProblem, pairingProblem, prefillProblem, rolesProblem } from "./rules/turns.ts";

/** In the order they are asked. Those about thinking come after all of them: `readThinking`. */
const RULES: readonly (readonly [RuleName, (call: Call) => Refusal | string | undefined])[] = [
  ["oauth", ({ headers }) => oauthProblem(headers)],
  ["betas", ({ betas }) => betasProblem(betas)],
  ["surrogates", surrogatesProblem],
  ["fields", fieldsProblem],
  ["models", modelsProblem],
  ["length", lengthProblem],
  ["maxTokens", maxTokensProblem],
  ["thinking", thinkingProblem],
  ["effort", effortProblem],
  ["sampling", samplingProblem],
  ["toolChoice", toolChoiceProblem],
  ["toolNames", toolNamesProblem],
  ["toolSchemas", toolSchemasProblem],
  ["emptyContent", emptyContentProblem],
  ["blankText", blankTextProblem],
  ["cacheControl", cacheControlProblem],
  ["compaction", compactionProblem],
  ["roles", rolesProblem],
  ["prefill", prefillProblem],
  ["lastAnswer", lastAnswerProblem],
  ["pairing", pairingProblem],
  ["opaque", opaqueProblem],
];

/** The first refusal of a call by a rule that is not off. */
export const refusalOf = (call: Call, off: ReadonlySet<RuleName> = new Set()): Refusal | undefined => {
  for (const [name, ask] of RULES) {
    const problem = off.has(name) ? undefined : ask(call);
    if (problem !== undefined) return typeof problem === "string" ? invalid(problem) : problem;
  }
  return undefined;
};

/** The API's error for a request body on its own, ignoring what any server has sent; undefined if it would be accepted. */
export const requestProblem = (
  body: unknown,
  { headers = {}, off = [] }: { headers?: Readonly<Record<string, string>>; off?: readonly RuleName[] } = {},
): string | undefined => {
  const request = parseRequest(body);
  return typeof request === "string" ? request : refusalOf(callOf(headers, request), new Set(off))?.message;
};
